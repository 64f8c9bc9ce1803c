"""Jira behind the `Tracker` port, Cloud and Data Center: `tracker` is the face, `survey` the doctor's look around, the rest its parts."""
