"""`triage doctor`: looks at mail, Jira, model and database for real."""
