"""Converts Markdown to ADF (Cloud) and wiki markup (Data Center), and both to plain text."""
