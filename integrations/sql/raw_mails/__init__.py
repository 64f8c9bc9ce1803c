"""Raw mails: their rows, and their copies in an archive outside the database."""
