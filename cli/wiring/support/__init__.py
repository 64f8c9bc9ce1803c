"""Builds what the support hub and the knowledge base need."""
