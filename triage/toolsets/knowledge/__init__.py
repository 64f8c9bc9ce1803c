"""Finds passages of the knowledge base."""
