"""Nouns of the support hub: articles of the knowledge base, and what its agents find about a conversation."""
