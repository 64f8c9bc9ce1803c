"""The pages of the console, a subject a module."""
