"""The set-up of `triage init`: questions, tests, files."""
