"""`triage eval classify` and `intents`: classifiers that learn from examples, and their scores."""
