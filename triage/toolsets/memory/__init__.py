"""Memory: the tools of the agents of the team's memory, what each may write, and how a run of one is made."""
