"""The knowledge base: reads its sources, shows and edits articles."""
