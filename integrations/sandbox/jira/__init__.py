"""A small Jira on loopback: Cloud or Server, seeded, with faults on demand and a board to look at."""

from integrations.sandbox.jira.app import TOKEN, JiraSandbox, jira_app
from integrations.sandbox.jira.gate.faults import Fault
from integrations.sandbox.jira.gate.journal import Entry
from integrations.sandbox.jira.ground.identity import Login
from integrations.sandbox.jira.seed.story import Story

__all__ = ["TOKEN", "Entry", "Fault", "JiraSandbox", "Login", "Story", "jira_app"]
