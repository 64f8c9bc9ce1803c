"""`triage eval`: measures quality on files with a documented schema."""
