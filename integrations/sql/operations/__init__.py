"""The store, as those who run Triage and connect programs to it need it."""
