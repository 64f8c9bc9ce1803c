"""Commands about cases: list, show, correct, replay."""
