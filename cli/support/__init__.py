"""Verbs of the support hub."""
