"""`triage memory`: the notes of the team, and how they come about."""
