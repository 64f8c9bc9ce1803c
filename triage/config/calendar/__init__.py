"""The sections of triage.yaml about time, calendars and contacts."""
