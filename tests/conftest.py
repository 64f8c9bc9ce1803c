"""Constants that tests import: how long they wait, and where the checkout and the shared data lie."""

from pathlib import Path

PATIENCE = 600.0
"""Seconds that a test waits for what must come: it bounds a hang, no test asserts on it."""
ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
