"""`triage eval duplicates`: replays trackers whose duplicates are known."""
