"""What a text is, by models that were trained on examples of our own."""
