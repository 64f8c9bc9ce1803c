"""The HTTP door: inbound mail, health."""
