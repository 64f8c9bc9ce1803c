"""Nouns of calendars and contacts."""
