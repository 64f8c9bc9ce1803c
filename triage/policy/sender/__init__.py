"""Who sent a mail, and what kind of mail it is."""
