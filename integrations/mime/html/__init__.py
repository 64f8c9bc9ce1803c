"""What a reader sees of an HTML mail."""
