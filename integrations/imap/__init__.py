"""Mailboxes over IMAP, each with a thread and a connection of its own."""
