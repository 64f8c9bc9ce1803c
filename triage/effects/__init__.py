"""Effects: what leaves the process is written at most once, whatever crashes."""
