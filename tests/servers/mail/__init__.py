"""Servers of mail, one file each."""
