"""Ranks tickets by how likely they are about the same matter as a mail."""
