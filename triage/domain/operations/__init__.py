"""Nouns of those who run Triage and connect programs to it: tokens, audit, events, webhooks out."""
