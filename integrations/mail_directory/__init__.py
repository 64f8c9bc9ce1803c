"""What a domain publishes about its mail servers."""
