"""Mail is read in child processes that hold nothing and may die: `reader` is the face."""
