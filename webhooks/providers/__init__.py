"""Mail providers, one file each: verify the request, read the mails in it."""
