"""Text formats of Jira: ADF documents (API v3), wiki markup (API v2), HTML for people."""
