"""The inbox of cases: lists, searches, saved views, and what is done with several cases at once."""
