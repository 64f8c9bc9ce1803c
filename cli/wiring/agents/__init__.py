"""Builds agents: profiles, tools from outside, models, and the configuration that is read again."""
