"""Calendar: the tool for date and time."""
