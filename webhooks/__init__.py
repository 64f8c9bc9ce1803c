"""Webhooks over HTTP: inbound mail, Jira's events, health checks."""
