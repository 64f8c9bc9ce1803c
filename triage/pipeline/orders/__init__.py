"""Orders that people give for a case, carried out by steps."""
