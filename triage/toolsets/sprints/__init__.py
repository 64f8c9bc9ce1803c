"""Sprints: which there are, and which one is running."""
