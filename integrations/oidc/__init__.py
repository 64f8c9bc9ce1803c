"""People sign in with an OpenID Connect provider."""
