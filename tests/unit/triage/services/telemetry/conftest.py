"""The store and the clock of the services of operations."""

from tests.unit.triage.services.operations.conftest import clock, store

__all__ = ["clock", "store"]
