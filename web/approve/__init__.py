"""The page behind a signed link: it shows what would be done, and only its button decides."""
