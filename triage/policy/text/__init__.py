"""What a text says: words, phrases, cues."""
