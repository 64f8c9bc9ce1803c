"""Services: what commands, web pages and webhooks may ask of Triage."""
