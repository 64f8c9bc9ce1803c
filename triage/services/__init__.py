"""What the outside may ask: intake, cases, approvals."""
