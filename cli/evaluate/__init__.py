"""`triage eval`: figures of quality on files that anyone can bring."""
