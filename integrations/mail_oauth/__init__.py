"""Tokens for mail accounts: the provider over HTTP, the landing of the browser, the seal."""
