"""Markdown to what Jira shows: ADF on Cloud, wiki markup on Data Center, and back to plain text."""
