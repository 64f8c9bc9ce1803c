"""Directories of people: a table of customers, and CardDAV."""
