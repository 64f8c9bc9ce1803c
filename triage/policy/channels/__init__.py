"""Verdicts about what people are told, and what they say to us."""
