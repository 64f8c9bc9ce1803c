"""Nouns of the team's memory: notes in a vault of Markdown files, observations that become notes, and their graph."""
