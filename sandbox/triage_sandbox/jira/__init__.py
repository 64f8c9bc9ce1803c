"""A small Jira on loopback: Cloud or Server, seeded, with faults on demand and a board to look at."""

from triage_sandbox.jira.app import TOKEN, JiraSandbox, jira_app
from triage_sandbox.jira.gate.faults import Fault
from triage_sandbox.jira.gate.journal import Entry
from triage_sandbox.jira.ground.identity import Login
from triage_sandbox.jira.seed.story import Story

__all__ = ["TOKEN", "Entry", "Fault", "JiraSandbox", "Login", "Story", "jira_app"]
