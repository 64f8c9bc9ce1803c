"""Builds the team's memory from the settings."""
