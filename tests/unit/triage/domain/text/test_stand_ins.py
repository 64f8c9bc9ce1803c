"""Stand-ins are numbered, and equal values have equal ones."""

from triage.domain.text.stand_ins import StandIns


def test_a_value_keeps_its_stand_in() -> None:
    """Each kind is numbered by first occurrence; a value that comes again has the stand-in that it had."""
    known = StandIns()

    named = [known.of("person", name, "person{}".format) for name in ("ada", "bob", "ada")]

    assert named == ["person1", "person2", "person1"]
    assert known.of("host", "ada", "host{}.example".format) == "host1.example"
    assert known.all("person") == {"ada": "person1", "bob": "person2"}
    assert known.all("file") == {}
