"""What code makes of the notes that the memory's agents propose: fields from sources, refusals with their reason."""
