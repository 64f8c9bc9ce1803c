"""`triage eval knowledge`: measures what the knowledge base finds, answers and refuses."""
