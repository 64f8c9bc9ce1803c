"""The agents of a build that a model plays: Memory Writer, Action and Reconciliation, each with the tools of its profile."""
