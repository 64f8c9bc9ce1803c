"""The keys of a front matter and the lines that they stand in."""

from triage.policy.memory.notes.yaml_keys import keys_of


def test_each_key_has_its_lines() -> None:
    """Lists of both kinds, blocks of text and what is nested; comments between keys belong to none."""
    keys = keys_of("a: 1\nb: [x,\n  y]\n# c\nc:\n  - x\n\n  - y\n\nd: |\n  t\n\ne: {f: [g]}\nh:\n")

    assert [(key.name, key.line, key.last, key.values) for key in keys] == [
        ("a", 0, 0, ("1",)),
        ("b", 1, 2, ("x", "y")),
        ("c", 4, 7, ("x", "y")),
        ("d", 9, 11, ("t\n",)),
        ("e", 12, 12, ()),
        ("h", 13, 13, ()),
    ]
    assert [(key.name, key.listed, key.block, key.indent) for key in keys if key.listed] == [
        ("b", True, False, 0),
        ("c", True, True, 2),
    ]
    assert not keys[4].plain
