"""What a reader cannot see leaves the text, and what a script or an emoji needs stays."""

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.text.visible import all_visible, visible

HIDING = (
    "\x00\x07\x08\x1b\x7f\x9b\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e"
    "\u2060\u2066\u2069\u206f\u3164\ud800\ufdd0\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffe\U0001d173\U000e0001\U000e0041"
    "\U000e007f\U000e0100\U000e0fff\U0010ffff"
)
PIECES = st.sampled_from([*HIDING, *"aب क葛1#👩🏽❤🏳🌈\r\n\x85\u2028"])
SHAPED = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_nothing_unseen_is_left(text: str) -> None:
    """No control, format character, filler, tag or half character stays, but a joiner or selector in its place."""
    left = visible(text)
    unseen = {c for c in left if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in SHAPED}

    assert unseen <= set("\n\t\u200c\u200d\u180e")
    assert not set(left) & set("\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5\u00ad\u200b\u202e\U000e0041")
    assert left.isascii() is False or not unseen - set("\n\t")
    assert isinstance(left.encode(), bytes)


@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_clean_text_is_left_alone(text: str) -> None:
    """What was cleaned once is not changed by cleaning it again, so sinks may follow one another."""
    assert visible(visible(text)) == visible(text)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cn", "Mn"])))
def test_no_letter_is_lost(text: str) -> None:
    """Letters, digits, signs and blanks of any script stay, apart from the blank fillers."""
    assert visible(text) == "".join(c for c in text if c not in "\u115f\u1160\u3164\uffa0\U00016fe4\U0001d159")


def test_every_format_character_goes() -> None:
    """Whatever Unicode calls a format character without a shape is cleaned out between letters, one by one."""
    every = [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) in {"Cf", "Cc", "Cs"}]
    left = [
        f"U+{ord(c):04X}"
        for c in every
        if c not in SHAPED and c not in "\n\t" and visible(f"a{c}b") not in {"ab", "a\nb"}
    ]

    assert left == []


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم",
        "ന്‍",
        "क्‍ष क्‌ष",
        "র‍্যাব",
        "ශ්‍රී ලංකා",
        "שלום עולם",
        "العربية",
        "👩🏽‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 ❤️ ☎︎ 1️⃣ 👍🏿 🇵🇱",
        "葛󠄀城市",
        "ᠠ᠋ᠨ",
        "Zażółć gęślą jaźń\tx\ny",
        "e\u0301 한글 日本語 ไทย",
    ],
)
def test_text_that_people_write_stays(text: str) -> None:
    """Joiners of Persian, Hindi, Bengali, Sinhala and Malayalam, emoji sequences and variants of names are kept."""
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("pay\u200b\u2060pal", "paypal"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("co\u00adop\u00aderate", "cooperate"),
        ("a\u200db\u200cc", "abc"),
        ("ok\ufe0f\U000e0141", "ok"),
        ("😀\U000e0068\U000e0069\U000e0141\U000e0142", "😀"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        ("1\ufe0f 2", "1 2"),
        ("\x1b]0;title\x07\x1b[31mred\x9b0m", "]0;title[31mred0m"),
        ("a\r\nb\rc\u2028d\x85e\x0cf", "a\nb\nc\nd\ne\nf"),
        ("ㅤ\u3164\uffa0\u1160.", "."),
        ("سلام\u200c\u200c\u200c", "سلام"),
        ("葛\U000e0100\U000e0101\U000e0102", "葛\U000e0100"),
        ("👩\u200d\u200d💻", "👩💻"),
    ],
)
def test_what_hides_goes(text: str, seen: str) -> None:
    """Zero-width signs, direction marks, tags, soft hyphens, fillers, terminal commands, stray joiners and selectors."""
    assert visible(text) == seen


def test_json_is_cleaned_through_and_through() -> None:
    """Names of members and what stands deep inside are text, too; numbers and truth stay what they are."""
    value = {"a\u200b": ["x\u202ey", ("z\x1b", {"n\u00ad": None})], "n": 1, "f": 0.5, "t": True}

    assert all_visible(value) == {"a": ["xy", ["z", {"n": None}]], "n": 1, "f": 0.5, "t": True}
    assert json.dumps(all_visible(value), ensure_ascii=False).isprintable()
