"""Settings of those who sign in to the console."""
