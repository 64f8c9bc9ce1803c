"""Nouns of the ways to people: notices today; proposals and commands in Jira, mail and chat."""
