"""Outgoing mail: sends what is queued, and what people do about it."""
