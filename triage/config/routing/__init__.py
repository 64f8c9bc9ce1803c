"""What triage.yaml says about routes: rules and their conditions."""
