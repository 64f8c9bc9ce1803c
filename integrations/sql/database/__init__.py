"""The database itself: how it is reached, its tables, and rows as our nouns."""
