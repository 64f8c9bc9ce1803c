"""What CalDAV and CardDAV have in common: bounded requests with a login, and the texts in an answer."""
