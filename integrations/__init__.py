"""Adapters: a room per neighbour of the core, in which one file is the face, or a file where that is enough."""
