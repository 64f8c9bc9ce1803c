"""Channels that carry messages to people."""
