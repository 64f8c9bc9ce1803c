"""What triage.yaml says about agents: their profiles, and the limits of tools from outside."""
