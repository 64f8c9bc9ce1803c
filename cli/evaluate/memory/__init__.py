"""`triage eval memory`: how well rules find what a team should remember, and whether they close notes that are open."""
