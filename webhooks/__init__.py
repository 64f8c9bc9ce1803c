"""The HTTP door: inbound mail, what Jira announces, health."""
