"""`triage agreement`: how often people agree with what was decided."""
