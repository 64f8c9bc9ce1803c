"""Outgoing mail: sends queued letters, and lets people manage them."""
