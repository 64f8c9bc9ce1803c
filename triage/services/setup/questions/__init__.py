"""What is asked of whoever sets Triage up; the same words in the shell and on the page."""
