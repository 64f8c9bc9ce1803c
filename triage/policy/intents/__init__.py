"""Learns from example texts which of several categories a text belongs to, and whether it belongs to any of them."""
