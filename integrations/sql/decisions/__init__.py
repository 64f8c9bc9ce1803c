"""What people decide, and the kill switch."""
