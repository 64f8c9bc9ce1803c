"""Pages of the daily work: what waits for a person, and what Triage writes to people."""
