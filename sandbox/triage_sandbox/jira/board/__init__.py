"""HTML pages that show the sandbox's issues while they change."""
