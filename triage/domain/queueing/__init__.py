"""Nouns of the job queue."""
