"""Pages about the knowledge base."""
