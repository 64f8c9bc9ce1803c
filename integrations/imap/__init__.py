"""Mailboxes over IMAP: `mailbox` is the face, a thread and a connection each behind it."""
