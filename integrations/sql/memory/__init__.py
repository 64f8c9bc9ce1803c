"""Builds of the team's memory."""
