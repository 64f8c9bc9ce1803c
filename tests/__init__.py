"""Tests: unit, contract, journeys, corpus, house, bench."""
