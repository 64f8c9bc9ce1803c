"""The page of `triage init --browser`, which answers before there are settings."""
