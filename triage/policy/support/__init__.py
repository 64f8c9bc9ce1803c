"""Decides what the support hub does with a conversation: pure functions of what its agents have found."""
