"""Training of the shipped models: reproducible, and never needed to run Triage."""
