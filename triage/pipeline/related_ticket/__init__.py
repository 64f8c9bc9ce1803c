"""Finds the ticket that a mail belongs to."""
