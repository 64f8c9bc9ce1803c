"""Pages about the team's memory: the board of its actions, its notes, their graph, and what is asked of it."""
