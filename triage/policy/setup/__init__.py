"""What setting up can tell from an address alone."""
