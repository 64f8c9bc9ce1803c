"""Commands about cases: list, show, approve, replay."""
