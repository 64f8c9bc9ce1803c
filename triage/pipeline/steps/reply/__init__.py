"""The steps that answer a mail, after it was acted upon: decide, execute, generate."""
