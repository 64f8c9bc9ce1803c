"""Reads the mails of monitoring and tracking programs."""
