"""What people do at a desk about one case: read its mail, see what a correction or a replay would change, keep it as a test."""
