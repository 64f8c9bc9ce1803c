"""The pages about one case: what it is and why, its mail, what a correction would change, a replay, a test case of it."""
