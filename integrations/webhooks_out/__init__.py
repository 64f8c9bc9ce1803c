"""Sends webhooks out."""
