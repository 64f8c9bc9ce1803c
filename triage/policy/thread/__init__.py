"""Which mails belong together, and which come too often."""
