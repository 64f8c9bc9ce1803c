"""What people type to find cases and to put them off."""
