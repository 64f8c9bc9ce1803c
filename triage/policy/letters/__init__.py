"""What a letter may say, and to whom."""
