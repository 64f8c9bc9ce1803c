"""Permissions, and the review of cases."""
