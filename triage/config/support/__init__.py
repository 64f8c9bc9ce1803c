"""The section `support` of triage.yaml."""
