"""Says which route a mail would take."""
