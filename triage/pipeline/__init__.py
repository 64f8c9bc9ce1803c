"""The pipeline: tables of steps, the runner that follows them, the worker that leases cases."""
