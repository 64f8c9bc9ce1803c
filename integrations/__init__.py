"""Adapters, one file per vendor and port: `vendor_port.py`."""
