"""What may be done, and what becomes of a case."""
