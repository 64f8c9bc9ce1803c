"""Models behind the `Model` port: OpenAI-compatible, Anthropic, and a chain of them."""
