"""Server-sent events: what happens, told to everybody who listens."""
