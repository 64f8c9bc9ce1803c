"""Pages about the support hub: its conversations, and a chat with it."""
