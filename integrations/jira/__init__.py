"""Jira Cloud and Data Center: `tracker` implements the tracker ports, `diagnostics` serves `triage doctor`."""
