"""Adapters for the port `Model`: OpenAI-compatible servers, Anthropic, and a chain of models."""
