"""The section `letters` of triage.yaml, and the texts of letters that nobody writes by hand."""
