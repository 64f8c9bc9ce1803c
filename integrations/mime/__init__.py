"""Parses raw mails into a `Message`; `message` is the entry point."""
