"""Nouns of those who run Triage and connect programs to it: tokens, accounts, audit, events, webhooks out."""
