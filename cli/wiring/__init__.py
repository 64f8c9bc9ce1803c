"""Chooses adapters: settings in, an app with everything connected out."""
