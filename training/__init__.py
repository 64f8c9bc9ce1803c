"""Makes the models that Triage ships, each from its examples; no installation has this room (decision 306)."""
