"""Reads questions to the memory, and answers them by sentences of what may be quoted."""
