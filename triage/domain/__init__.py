"""The domain: frozen nouns, errors and ports; it imports nothing else of Triage."""
