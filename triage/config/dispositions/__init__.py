"""The table of dispositions and the lists of senders, as `triage.yaml` has them."""
