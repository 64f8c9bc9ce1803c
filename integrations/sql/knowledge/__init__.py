"""The knowledge base in SQL."""
