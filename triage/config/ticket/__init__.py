"""What new tickets get beside text: labels and custom fields, as triage.yaml configures them."""
