"""Wiring of what pages alone ask."""
