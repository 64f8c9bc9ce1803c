"""Triage: the mailbox that files its own Jira tickets."""
