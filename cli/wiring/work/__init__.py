"""Wiring of what works on mail: connections, the services of a case, the worker."""
