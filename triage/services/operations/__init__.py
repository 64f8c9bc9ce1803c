"""Services for those who run Triage and connect programs to it."""
