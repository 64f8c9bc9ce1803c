"""Verdicts about the team's memory: how notes are written, found, connected and merged."""
