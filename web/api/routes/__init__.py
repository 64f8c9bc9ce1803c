"""The routes of the API, a subject a file."""
