"""Conversations of the support hub, for people who read them."""
