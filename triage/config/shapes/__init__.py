"""Shapes of the sections of triage.yaml, as pydantic models."""
