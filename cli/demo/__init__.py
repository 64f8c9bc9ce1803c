"""`triage demo` and `triage sandbox`: run Triage against the sandbox distribution."""
