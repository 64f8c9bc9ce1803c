"""How often people agree with decisions, measured by the changelog of our tickets and by shadow mode."""
