"""The steps of the pipelines, one module each: a step takes a case and returns a case."""
