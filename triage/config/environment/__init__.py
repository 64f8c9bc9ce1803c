"""The environment variables of Triage, a file for each subject; `triage/config/variables.py` joins them."""
