"""The fields of an issue: one line each in a table, how each is read, checked and written."""
