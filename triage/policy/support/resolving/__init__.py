"""Decides how a question is resolved: what it needs, what is looked up without a model, what is answered."""
