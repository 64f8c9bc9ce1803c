"""Raw bytes to a `Message`: `message` is the face, the others are one idea each."""
