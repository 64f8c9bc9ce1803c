"""Checks what a model answers to the agents of the support hub, before anything is made of it."""
