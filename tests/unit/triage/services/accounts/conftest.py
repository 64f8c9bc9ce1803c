"""An empty store and a clock for the services of accounts."""

from tests.unit.triage.services.operations.conftest import clock, store

__all__ = ["clock", "store"]
