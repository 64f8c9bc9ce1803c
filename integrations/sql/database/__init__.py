"""Connections, tables, and conversion of rows to the domain's types."""
