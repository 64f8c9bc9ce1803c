"""`triage demo` and `triage sandbox`: the product against a Jira of its own."""
