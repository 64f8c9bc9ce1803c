"""The steps, one verb each: a step takes a case and returns a case."""
