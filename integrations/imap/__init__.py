"""Mailboxes over IMAP, each with its own thread and connection."""
