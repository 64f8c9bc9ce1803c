"""Tables behind the ways to people."""
