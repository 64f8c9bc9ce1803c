"""Settings of what people and programs ask over HTTP, and of those who sign in."""
