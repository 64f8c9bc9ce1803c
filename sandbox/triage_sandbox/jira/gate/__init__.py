"""Middleware before the API: addresses, the request journal, faults, and the control interface."""
