"""What the templates of the inbox get, and what its live view tells."""
