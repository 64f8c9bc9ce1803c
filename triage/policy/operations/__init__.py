"""Verdicts about those who connect programs: tokens, spending, addresses of webhooks."""
