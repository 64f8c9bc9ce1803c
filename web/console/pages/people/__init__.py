"""How people get in, and who they are: first account, sign-in, identity provider, accounts."""
