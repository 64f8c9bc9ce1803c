"""Commands about the knowledge base."""
