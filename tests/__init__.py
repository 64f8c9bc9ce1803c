"""Tests: unit, contract, e2e, corpus, house, bench."""
