"""The lowest layer of the sandbox Jira: database, clock, accounts, permissions."""
