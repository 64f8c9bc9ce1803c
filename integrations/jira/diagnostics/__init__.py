"""Read-only diagnostics of a Jira: probe it, interpret the answers, record them without personal data."""
