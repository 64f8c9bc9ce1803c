"""Mailboxes opened with OAuth tokens: the first sign-in, and renewals."""
