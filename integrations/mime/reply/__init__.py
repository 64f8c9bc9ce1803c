"""Splits what the author wrote from the quoted history."""
