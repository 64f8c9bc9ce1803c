"""Reads from the tracker and the store how often people agree with what was decided."""
