"""Requests to Jira: connection, pace, errors."""
