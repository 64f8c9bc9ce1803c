"""What code knows of one note: the lines of its front matter, where its parts come from, its name, who may write it."""
