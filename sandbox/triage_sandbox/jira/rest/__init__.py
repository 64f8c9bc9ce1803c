"""Endpoints of `/rest/api`, one module per resource, each with a table of routes."""
