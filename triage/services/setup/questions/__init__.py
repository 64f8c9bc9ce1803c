"""The questions of the set-up; the same in the shell and on the page."""
