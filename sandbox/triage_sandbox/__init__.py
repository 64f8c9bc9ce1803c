"""Servers for demos and tests on this machine: a Jira, a model server, and the demo company's data."""
