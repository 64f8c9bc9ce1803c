"""Formats inside a mail: Outlook, TNEF, S/MIME, OpenPGP, invitations."""
