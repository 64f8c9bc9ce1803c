"""Jira behind the `Tracker` port, Cloud and Data Center: `tracker` is the face, the others are its parts."""
