"""Letters to the sender, drafts for a person, and handing a case to people."""
