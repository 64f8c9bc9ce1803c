"""What programs hear of how Triage does: metrics when they ask, traces as they happen."""
