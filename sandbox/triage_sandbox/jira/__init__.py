"""A Jira server for tests and demos: Cloud or Data Center, seeded, with faults on request and a live board."""

from triage_sandbox.jira.app import TOKEN, JiraSandbox, jira_app
from triage_sandbox.jira.gate.faults import Fault
from triage_sandbox.jira.gate.journal import Entry
from triage_sandbox.jira.ground.identity import Login
from triage_sandbox.jira.seed.story import Story

__all__ = ["TOKEN", "Entry", "Fault", "JiraSandbox", "Login", "Story", "jira_app"]
