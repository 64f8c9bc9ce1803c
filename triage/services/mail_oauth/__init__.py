"""Mailboxes that are opened with tokens: signing in once, and renewing from then on."""
