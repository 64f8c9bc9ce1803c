"""The HTTP API: JSON under `/api/v1`, for programs with a token."""
