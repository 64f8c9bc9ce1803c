"""Text as Jira stores it: ADF documents for API v3, wiki markup for v2, and what people read of both."""
