"""Decisions about time: working hours and free slots."""
