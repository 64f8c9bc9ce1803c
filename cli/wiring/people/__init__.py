"""Wiring of what is about people: who decides, calendars and directories."""
