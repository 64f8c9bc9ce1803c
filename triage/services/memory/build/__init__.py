"""Builds the team's memory: reads accepted mails, writes notes, and keeps actions up to date."""
