"""Services: the application layer that commands, web pages and webhooks call."""
