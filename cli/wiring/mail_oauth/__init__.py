"""Builds the tokens of mail accounts, and what signs them in."""
