"""What `triage init` finds out and writes."""
