"""Mailboxes of everybody, in memory: a mail server that sends nothing on, and a page that shows who has which letters."""
