"""The project: metadata, people, sprints."""
