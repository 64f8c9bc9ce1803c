"""Information about this installation for people, and checks that they run."""
