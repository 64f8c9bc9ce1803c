"""Who could do the work."""
