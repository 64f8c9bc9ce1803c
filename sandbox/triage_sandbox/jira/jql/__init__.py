"""Jira's query language: text to syntax, syntax to SQL, and Jira's own words where a query is wrong."""
