"""Nouns of the queue: whose turn it is."""
