"""Nouns of channels to people: notices, and proposals and commands in Jira, mail and chat."""
