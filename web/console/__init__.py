"""The console: pages on which people see and correct what Triage does."""
