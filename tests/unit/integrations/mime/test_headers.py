"""Header values, charsets and transfer encodings, well and badly written."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

from datetime import UTC, datetime

import pytest

from integrations.mime.charsets import codec_of, decode, guess
from integrations.mime.headers import (
    addresses_of,
    date_of,
    ids_of,
    parameters_of,
    readings_of_from,
    safe_name,
    value_of,
)
from integrations.mime.html.invisible import cleaned, one_line
from integrations.mime.transfer import transferred


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?caf=C3=A9?=", "café"),
        ("=?UTF-8?B?Y2Fmw6k=?=", "café"),
        ("=?utf-8?b?Y2Fmw6k?=", "café"),
        ("=?utf-8*en?q?caf=C3=A9?=", "café"),
        ("=?iso-8859-1?q?=80?=", "€"),
        ("a =?utf-8?q?b?= c", "a b c"),
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?=\n =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?= =?iso-8859-1?q?=E9?=", "aé"),
        ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", "é"),
        ("=?utf-8?Q? with blanks ?=", "with blanks"),
        ("=?utf-8?q?who?are?you??=", "who?are?you?"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?utf-8?q?open", "=?utf-8?q?open"),
        ("=?", "=?"),
        ("=?utf-8?b?Y?=", "=?utf-8?b?Y?="),
        ("=?iso-8859-1?q?Frö?=", "Frö"),
        ("=?no-such?q?a=C3=A9?=", "aé"),
        ("tab\there", "tab here"),
    ],
)
def test_value_is_decoded(raw: str, value: str) -> None:
    """Encoded words as the standard has them, and as they come."""
    assert value_of(raw, set()) == value


@pytest.mark.parametrize(
    ("raw", "parameters"),
    [
        ("text/plain", {}),
        ("text/plain; charset=utf-8", {"charset": "utf-8"}),
        ('text/plain; charset = "utf-8" ; format=flowed', {"charset": "utf-8", "format": "flowed"}),
        ("text/plain charset=utf-8", {"charset": "utf-8"}),
        ('a/b; name="x; y=z"', {"name": "x; y=z"}),
        (r'a/b; name="x\"y"', {"name": 'x"y'}),
        ('a/b; name="open', {"name": "open"}),
        ("a/b; name==?utf-8?q?=C3=A4?=", {"name": "ä"}),
        ("a/b; name*=utf-8'de'%C3%A4.pdf", {"name": "ä.pdf"}),
        ("a/b; name*0=one; name*1=two", {"name": "onetwo"}),
        ("a/b; name*1=two; name*0=one", {"name": "onetwo"}),
        ("a/b; name*0*=utf-8''%C3%A4; name*1=b%20; name*2*=%20c", {"name": "äb%20 c"}),
        ("a/b; name*x=1; ok=2", {"ok": "2"}),
        ("a/b; =1; ;; ok=2", {"ok": "2"}),
        ("a/b; name=one; name=two", {"name": "one"}),
    ],
)
def test_parameters_are_put_together(raw: str, parameters: dict[str, str]) -> None:
    """RFC 2231 sections, quotes, and what people write instead."""
    assert dict(parameters_of(raw, set())[1]) == parameters


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("", []),
        ("ada@example.com", ["ada@example.com"]),
        ("Ada <Ada@Example.COM>", ["Ada <ada@example.com>"]),
        ('"Byron, Ada" <ada@example.com>, ben@example.com', ["Byron, Ada <ada@example.com>", "ben@example.com"]),
        ("=?utf-8?q?Byr=C3=B6n=2C_Ada?= <ada@example.com>", ["Byrön, Ada <ada@example.com>"]),
        ("ada@example.com (Ada)", ["Ada <ada@example.com>"]),
        ("Team: ada@example.com, ben@example.com;", ["ada@example.com", "ben@example.com"]),
        ("undisclosed-recipients:;", []),
        ("MAILER-DAEMON", ["mailer-daemon"]),
        ("MAILER-DAEMON (Mail Delivery System)", ["Mail Delivery System <mailer-daemon>"]),
        ("MAILER-DAEMON <>", ["mailer-daemon"]),
        ("Moderator <moderator>", ["Moderator <moderator>"]),
        ("Some Body", ["Some Body"]),
        ('"open <ada@example.com>', ["open <ada@example.com>"]),
        ("what is ada@example.com doing here", ["what is  doing here <ada@example.com>"]),
    ],
)
def test_addresses_are_found(raw: str, found: list[str]) -> None:
    """By the grammar first, generously where it is broken."""
    assert [str(one) for one in addresses_of(raw, set())] == found


@pytest.mark.parametrize(
    ("raw", "readings"),
    [
        ("Ada <ada@example.com>", {"ada@example.com"}),
        ("ceo@acme.example <evil@example.net>", {"ceo@acme.example", "evil@example.net"}),
        ('"ceo@acme.example" <evil@example.net>', {"evil@example.net"}),
        ("<ada@example.com> <evil@example.net>", {"ada@example.com", "evil@example.net"}),
    ],
)
def test_every_reading_of_the_sender_is_known(raw: str, readings: set[str]) -> None:
    """Where programs may differ about the sender, all candidates are named."""
    assert readings_of_from(raw) == readings


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        ("", ()),
        ("<a@x>", ("a@x",)),
        ("<a@x> (comment) <b@y>", ("a@x", "b@y")),
        ("<a@x\n y>", ("a@xy",)),
        ("a@x", ("a@x",)),
        ("your mail of Monday", ()),
        ("<>", ()),
    ],
)
def test_ids_are_found(raw: str, ids: tuple[str, ...]) -> None:
    """Message-IDs with their brackets, and without."""
    assert ids_of(raw) == ids


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("Mon, 9 Mar 2026 17:02:11 +0100", datetime(2026, 3, 9, 16, 2, 11, tzinfo=UTC)),
        ("9 Mar 26 17:02 EST (winter)", datetime(2026, 3, 9, 22, 2, tzinfo=UTC)),
        ("Mon, 9 Mar 2026 7:02:11 GMT", datetime(2026, 3, 9, 7, 2, 11, tzinfo=UTC)),
        ("2026-03-09T17:02:11+01:00", datetime(2026, 3, 9, 16, 2, 11, tzinfo=UTC)),
        ("2026-03-09 17:02", datetime(2026, 3, 9, 17, 2, tzinfo=UTC)),
        ("Mon, 9 Mar 2026 17:02:11 +9999999", None),
        ("Mon, 39 Mar 2026 17:02:11 +0100", None),
        ("0001-01-01T00:00:00+09:00", None),
        ("9 Mar 1901 17:02:11 +0100", None),
        ("9 Mar 9999 17:02:11 +0100", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_date_is_a_moment_or_nothing(raw: str, moment: datetime | None) -> None:
    """Dates of this age in UTC; what is impossible is none."""
    assert date_of(raw) == moment


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\a.txt", "a.txt"),
        ("folder/", "folder"),
        ("..", ""),
        ("a\x00b\r\nc.txt", "ab c.txt"),
        ("\u202egpj.exe", "gpj.exe"),
        ("x" * 300 + ".pdf", "x" * 116 + ".pdf"),
        ("x" * 300, "x" * 120),
        ("", ""),
    ],
)
def test_file_name_is_only_a_name(name: str, safe: str) -> None:
    """No folders, nothing unseen, at most 120 characters with the ending kept."""
    assert safe_name(name, set()) == safe


@pytest.mark.parametrize(
    ("data", "label", "text", "flags"),
    [
        (b"caf\xc3\xa9", "utf-8", "café", set()),
        (b"caf\xe9", "iso-8859-1", "café", set()),
        (b"\x93hi\x94", "ISO-8859-1", "“hi”", set()),
        (b"caf\xc3\xa9", "us-ascii", "café", set()),
        (b"caf\xe9", "utf-8", "café", {"bad-charset"}),
        (b"gr\xc3\xbc\xc3\x9fe \xff", "utf-8", "grüße �", {"bad-charset"}),
        (b"\x81", "iso-8859-1", "�", set()),
        ("朱镕基".encode("gbk"), "gb2312", "朱镕基", set()),
        ("你 好".encode(), "gb2312", "你 好", {"bad-charset"}),
        ("日本".encode("iso2022_jp"), "iso-2022-jp", "日本", set()),
        (b"\xff\xff", "euc-jp", "��", {"bad-charset"}),
        ("hé".encode("utf-16"), "utf-16", "hé", set()),
        (b"caf\xc3\xa9", "klingon", "café", {"unknown-charset"}),
        (b"caf\xe9", "utf-7", "café", {"unknown-charset"}),
        (b"caf\xe9", "", "café", set()),
    ],
)
def test_bytes_become_text(data: bytes, label: str, text: str, flags: set[str]) -> None:
    """By the label where it holds, by the bytes where it does not."""
    odd: set[str] = set()

    assert (decode(data, label, odd), odd) == (text, flags)


@pytest.mark.parametrize(
    ("words", "charset"),
    [
        ("お世話になっております。今朝から注文システムに接続できません。", "iso2022_jp"),
        ("お世話になっております。今朝から注文システムに接続できません。", "shift_jis"),
        ("お世話になっております。今朝から注文システムに接続できません。", "euc_jp"),
        ("您好，我们的订单系统从今天早上九点开始无法访问，请尽快处理。", "gb2312"),
        ("您好，我們的訂單系統從今天早上九點開始無法使用，請盡快處理。", "big5"),
        ("안녕하세요. 오늘 아침부터 주문 시스템에 접속할 수 없습니다.", "euc_kr"),
        ("Добрый день, программа не запускается после обновления.", "cp1251"),
        ("Добрый день, программа не запускается после обновления.", "koi8_r"),
        ("Καλημέρα, το σύστημα παραγγελιών δεν λειτουργεί από το πρωί.", "cp1253"),
        ("Grüße aus Köln: das Gerät läuft nicht, bitte prüfen!", "cp1252"),
    ],
)
def test_text_without_a_label_is_read_by_its_letters(words: str, charset: str) -> None:
    """A program that names no charset, or ASCII, loses nothing that its author wrote."""
    assert [decode(words.encode(charset), label, set()) for label in ("", "us-ascii")] == [words, words]


def test_a_long_line_without_a_label_is_read_whole() -> None:
    """The codec of a text of one long line is guessed from its beginning, cut between two characters."""
    words = "安排 您好，我们的订单系统从今天早上九点开始无法访问，请尽快处理。" * 200

    assert decode(words.encode("gb18030"), "", set()) == words
    assert decode("é".encode("cp1252") * 9_000, "", set()) == "é" * 9_000


def test_cut_letter_does_not_turn_all_others_into_noise() -> None:
    """Text that is UTF-8 but for its last byte is UTF-8."""
    assert guess("schöne Grüße".encode() + b"\xc3") == "schöne Grüße�"


@pytest.mark.parametrize(
    "label",
    [
        "utf-7",
        "UTF-7",
        "unicode_escape",
        "raw_unicode_escape",
        "idna",
        "punycode",
        "rot13",
        "zlib",
        "undefined",
        "x\x00y",
        "",
    ],
)
def test_codecs_outside_the_list_are_unknown(label: str) -> None:
    """Whatever Python could decode with, mail gets text codecs only."""
    assert codec_of(label) is None


@pytest.mark.parametrize(
    ("body", "encoding", "data", "flags"),
    [
        (b"aGk=", "base64", b"hi", set()),
        (b"aGk", "Base64 ", b"hi", {"bad-base64"}),
        (b"a!G?k=", "base64", b"hi", {"bad-base64"}),
        (b"=C3=A9=\nx", "quoted-printable", b"\xc3\xa9x", set()),
        (b"100 % =sure", "quoted-printable; x", b"100 % =sure", {"bad-quoted-printable"}),
        (b'begin 644 a\n"86$ \n \nend\n', "x-uuencode", b"aa", set()),
        (b'begin 644 a\n"86$ trailing\nend\n', "uuencode", b"aa", set()),
        (b"begin 644 a\n\x80\x81\nend\n", "uuencode", b"", {"bad-uuencode"}),
        (b"no begin", "uuencode", b"no begin", {"bad-uuencode"}),
        (b"as is", "8bit", b"as is", set()),
        (b"as is", "7-bit", b"as is", set()),
        (b"as is", "rot13", b"as is", {"unknown-encoding"}),
        (b"as is", "", b"as is", set()),
    ],
)
def test_transfer_encoding_is_undone(body: bytes, encoding: str, data: bytes, flags: set[str]) -> None:
    """Damaged or not, as much as there is comes out."""
    odd: set[str] = set()

    assert (transferred(body, encoding, odd), odd) == (data, flags)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u200bb", "ab"),
        ("a\u00adb", "ab"),
        ("\u202eabc", "abc"),
        ("a\U000e0041b", "ab"),
        ("a\U000e0100b", "ab"),
        ("a\u3164b\u2800c", "abc"),
        ("a\u200db", "ab"),
        ("a\ufe0fb", "ab"),
        ("\x1b[31mred", "[31mred"),
    ],
)
def test_invisible_characters_leave(text: str, seen: str) -> None:
    """What is not shown is not read, and the mail says so."""
    odd: set[str] = set()

    assert (cleaned(text, odd), odd) == (seen, {"invisible-characters"})


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("❤\ufe0f 1\ufe0f⃣", "❤\ufe0f 1\ufe0f⃣"),
        ("\ufeffBOM", "BOM"),
        ("a\u00a0b", "a b"),
        ("a\r\nb\rc\u2028d\x0ce", "a\nb\nc\nd\ne"),
        ("bad � sign", "bad � sign"),
    ],
)
def test_characters_that_belong_stay(text: str, seen: str) -> None:
    """Joiners of scripts and emoji, blanks and line ends are no tricks."""
    odd: set[str] = set()

    assert (cleaned(text, odd), odd) == (seen, set())


def test_header_value_has_no_second_line() -> None:
    """Whatever was encoded, a value stays on its line."""
    assert one_line("a\r\nBcc: x\x00\x85\u2028y", set()) == "a Bcc: x y"
