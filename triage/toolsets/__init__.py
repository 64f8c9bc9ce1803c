"""Toolsets: one room per subject with its tools, rules, effects and prompt facts; `table.py` names them all."""
