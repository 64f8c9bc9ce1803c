"""Effects: whatever leaves the process is written at most once, also across crashes."""
