"""Pages about Triage itself: its rules, its agents, its connections, how it does."""
