"""How often people agree with what was decided, by the changelog of our tickets and beside the shadow."""
