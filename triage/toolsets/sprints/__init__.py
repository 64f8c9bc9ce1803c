"""Sprints: list them, and put tickets into one."""
