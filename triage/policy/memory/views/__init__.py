"""How pages show the memory: the board of actions and the picture of the graph."""
