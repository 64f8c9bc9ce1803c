"""Makes the models that Triage ships, each from its examples; no installation has this room (decisions 306, 351)."""
