"""Wiring of the web application."""
