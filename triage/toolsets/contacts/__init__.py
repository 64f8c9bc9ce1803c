"""The toolset about the people who write to us."""
