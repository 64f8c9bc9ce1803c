"""Shows a mail as a person reads it in a browser; `mail_view` is the entry point."""
