"""What the API takes and gives, as JSON."""
