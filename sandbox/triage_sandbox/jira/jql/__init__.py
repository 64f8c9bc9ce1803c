"""Jira's query language (JQL): parses a query, compiles it to SQL, and words its errors as Jira does."""
