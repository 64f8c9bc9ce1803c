"""Effects: writes to other systems, each made at most once, also across crashes."""
