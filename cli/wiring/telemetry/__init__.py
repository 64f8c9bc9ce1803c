"""Wiring of what tells others how Triage does: metrics and traces."""
