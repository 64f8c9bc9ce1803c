"""Services for operators of Triage and for connected programs."""
