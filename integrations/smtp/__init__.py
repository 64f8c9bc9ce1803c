"""Letters over SMTP."""
