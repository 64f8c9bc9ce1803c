"""The tools, each a typed function that the model may call."""
