"""The section `knowledge` of triage.yaml."""
