"""How mails are read for the memory: sentences, owners, observations as JSON, notes of them."""
