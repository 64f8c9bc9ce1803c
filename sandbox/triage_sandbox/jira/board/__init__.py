"""The board: what is in the sandbox, to look at while it changes."""
