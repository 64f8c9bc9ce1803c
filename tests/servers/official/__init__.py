"""Checks requests to Jira against Atlassian's own API documents."""
