"""Tickets: search, read, create, change, comment, link."""
