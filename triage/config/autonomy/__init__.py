"""What runs by itself, what waits for a person, and who decides."""
