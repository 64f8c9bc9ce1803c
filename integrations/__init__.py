"""Adapters by vendor: each implements ports of `triage.domain`."""
