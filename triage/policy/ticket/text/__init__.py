"""Writes a ticket's summary and description from a mail, by rules."""
