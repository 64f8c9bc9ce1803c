"""Policy: pure functions from facts to decisions; no clock, no I/O, no settings."""
