"""Pages about the support hub: its conversations."""
