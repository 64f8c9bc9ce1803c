"""What text looks like to a reader: invisible characters, and lines that programs have wrapped."""
