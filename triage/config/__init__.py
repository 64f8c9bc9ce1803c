"""Settings from the environment, and the configuration file `triage.yaml`."""
