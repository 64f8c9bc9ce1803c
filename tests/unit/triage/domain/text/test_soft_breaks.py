"""Lines that a mail program has wrapped are joined, and lines that mean something stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.text.soft_breaks import soft_wrapped

WRAPPED = """\
the false queue lag alarm on rabbit-03 is fixed. Since Saturday the exporter
pauses while the nightly snapshot runs instead of reporting the old depth with
an old timestamp, so QueueLagHigh stays quiet at 02:05."""
"""As a program wraps at 78 columns."""
KEPT = {
    "quote": "> it was never reported again after the second of the two deployments on\n> Thursday evening",
    "code": "    for each in everything_that_is_in_the_list_of_all_the_things_we_know:\n        print(each)",
    "statements": "const total = items.reduce((sum, item) => sum + item.price * item.count);\nconsole.log(total);",
    "patch": "-flags = `pkg-config --cflags glib-2.0 gmime-2.4 talloc xapian-core-1.2`\n+flags := none",
    "log": "2026-11-22 10:15:00 ERROR tile renderer lost everything it had in memory\n2026-11-22 10:15:01 INFO restarted",
    "levels": "ERROR tile renderer lost everything that it had kept in its own memory so\nINFO restarted the renderer",
    "table": "Norway with all of its islands   1200.00   60.00   0.60   as of yesterday\nSerbia   800.00   80.00   0.80",
    "cells": "Norway with all of its many islands | 1200.00 | 60.00 | 0.60 | yesterday\nSerbia | 800.00 | 80.00 | 0.80",
    "list": "- the first thing that does not work any more is the export of invoices to\n- the second",
    "numbers": "Then we did what the page says, one after the other and without a mistake\n1. open it\n2. close it",
    "fields": "Browser: Firefox 144 on a Windows machine that nobody has updated for years\nVersion: 4.12",
    "address": "https://example.com/a/very/long/address/that/no/program/would/ever/wrap/it/\nhttps://example.com/b",
}
"""Each beside a paragraph that a program has wrapped."""


def test_a_wrapped_paragraph_is_one_line() -> None:
    """Breaks before which the next word had no room are blanks; the greeting and the name below stay lines."""
    text = f"Morning all,\n\n{WRAPPED}\n\nBen has merged the rule.\n\nSigrid\nHarbourline AS"

    assert text.replace(WRAPPED, WRAPPED.replace("\n", " ")) == soft_wrapped(text)


@pytest.mark.parametrize("name", KEPT)
def test_what_has_lines_keeps_them(name: str) -> None:
    """Quotes, code, logs, tables, lists, fields and addresses stay as they are, below a paragraph and before one."""
    joined = WRAPPED.replace("\n", " ")

    assert f"{joined}\n\n{KEPT[name]}" == soft_wrapped(f"{WRAPPED}\n\n{KEPT[name]}")
    assert f"{KEPT[name]}\n\n{joined}" == soft_wrapped(f"{KEPT[name]}\n\n{WRAPPED}")


def test_a_signature_keeps_its_lines() -> None:
    """Whatever stands below the line of two dashes is left."""
    signature = "-- \n" + WRAPPED

    assert f"{WRAPPED.replace(chr(10), ' ')}\n{signature}" == soft_wrapped(f"{WRAPPED}\n{signature}")


@pytest.mark.parametrize(
    "text",
    [
        "Marek Dvořák\nVltava Kurýr s.r.o., Praha\nwww.vltava-kuryr.example",
        f"{'A program that does not wrap leaves a paragraph in one line. ' * 2}\nHere {'people ' * 9}ended\ntheirs.",
        "",
        "\n\n",
    ],
)
def test_lines_that_people_ended_stay(text: str) -> None:
    """Where no program has wrapped, nothing is joined."""
    assert text == soft_wrapped(text)


@given(st.lists(st.text("ab, .>-|:\n\t1é界", max_size=90), max_size=8).map("\n".join))
def test_only_line_breaks_change(text: str) -> None:
    """Each character stays where it is, so that places found in one text hold in the other; breaks become blanks."""
    wrapped = soft_wrapped(text)

    assert len(text) == len(wrapped)
    assert all(new == old or (old, new) == ("\n", " ") for old, new in zip(text, wrapped, strict=True))
