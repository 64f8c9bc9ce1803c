"""Wiring: builds an `App` with its adapters from the settings."""
