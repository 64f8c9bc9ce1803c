"""Who may use the console: accounts, sign-ins, sessions."""
