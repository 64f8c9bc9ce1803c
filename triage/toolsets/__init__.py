"""Toolsets: one package per subject with its tools, rules, effects and prompt facts; `table.py` lists them."""
