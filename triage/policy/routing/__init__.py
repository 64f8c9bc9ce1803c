"""Which pipeline and which agent take a mail."""
