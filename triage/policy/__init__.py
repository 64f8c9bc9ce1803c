"""Pure verdicts: facts in, decision out; no clock, no I/O, no settings."""
