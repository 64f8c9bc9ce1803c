"""Servers that stand in for the world: Jira, a model, on loopback, over real HTTP."""
