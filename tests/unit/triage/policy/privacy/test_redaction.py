"""What a model sees of a mail, and what becomes of its answer."""

import pytest

from triage.domain.conversation import ChatMessage, Messages, Role, ToolCall, Turn
from triage.policy.privacy.redaction import EXPLAINED, masked, redacted, unredacted


def told(*texts: str) -> Messages:
    """A conversation: our rules, the mail, results of tools."""
    roles = (Role.SYSTEM, Role.USER, *(Role.TOOL,) * len(texts))
    return tuple(ChatMessage(role=role, text=text) for role, text in zip(roles, texts, strict=False))


def seen(text: str, *, personal: bool = True) -> str:
    """What the model sees of a mail's text."""
    return redacted(told("Rules.", text), personal=personal)[0][1].text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Write to Ada.B+x@example.com, or ada.b+X@EXAMPLE.com.", "Write to [EMAIL_1], or [EMAIL_1]."),
        ("<mailto:ada@mail.example.co.uk>", "<mailto:[EMAIL_1]>"),
        ("Call +49 (0)30 1234 567-8 today", "Call [PHONE_1] today"),
        ("0049 30 12345678, +493012345678", "[PHONE_1], [PHONE_2]"),
        ("Mobile:+229 97292685", "Mobile:[PHONE_1]"),
        ("From: ada byron <ada@example.com>\n\nada byron", "From: [PERSON_1] <[EMAIL_1]>\n\n[PERSON_1]"),
        ("(555) 234-5678 or 555.234.5678", "[PHONE_1] or [PHONE_1]"),
        ("Tel.: 12 34 56 78", "Tel.: [PHONE_1]"),
        ("Büro (089) 123 456 oder 089/123456", "Büro [PHONE_1] oder [PHONE_1]"),
        ("pay to GB82 WEST 1234 5698 7654 32 soon", "pay to [IBAN_1] soon"),
        ("card 4111 1111 1111 1111, please", "card [CARD_1], please"),
        ("GB82 WEST 1234 5698 7654 33", "GB82 WEST 1234 5698 7654 33"),
        ("HARB-12 since 2026-11-22 10:15, 10.0.0.1:8080, v1.2.3.4", "HARB-12 since 2026-11-22 10:15, 10.0.0.1:8080, v1.2.3.4"),
        ("order 4500123456, 12345678901234567890, 0xdeadbeef", "order 4500123456, 12345678901234567890, 0xdeadbeef"),
        ("user@host, @ada, a@b", "user@host, @ada, a@b"),
        ("card 4111 1111 1111 1112", "card 4111 1111 1111 1112"),
    ],
)  # fmt: skip
def test_what_is_sure_is_replaced(text: str, shown: str) -> None:
    """Addresses, numbers with their shape and checksum; keys, dates, versions and hosts stay."""
    assert shown == seen(text)


def test_names_beside_addresses_and_below_closings() -> None:
    """The whole name, its parts, in every message; a part that is a word of the text stays."""
    mail = 'From: "Mark Ada Byron" <ada@example.com>\n\nPlease mark it. Ada cannot log in.\n\nKind regards\n\nAda Byron\n\nIT'
    shown, _ = redacted(told("Rules for Byron.", mail, '{"assignee": "Grace", "by": "Byron"}'), personal=True)

    assert [one.text for one in shown] == [
        f"Rules for [PERSON_1].{EXPLAINED}",
        'From: "[PERSON_2]" <[EMAIL_1]>\n\nPlease mark it. [PERSON_3] cannot log in.\n\nKind regards\n\n[PERSON_4]\n\nIT',
        '{"assignee": "Grace", "by": "[PERSON_1]"}',
    ]


@pytest.mark.parametrize(
    "mail",
    [
        "It is broken.\n\nKind regards\n\nthe shipping team\n",
        "It is broken.\n\nKind regards\n\nGate 4\n",
        "It is broken.\n\nKind regards",
        "the desk <desk at example>",
    ],
)
def test_what_may_be_no_name_stays(mail: str) -> None:
    """Words in lower case, numbers, nothing at all."""
    assert mail == seen(mail)


def test_addresses_alone() -> None:
    """Without `personal` names and numbers stay."""
    assert (
        seen("Ada Byron <ada@example.com>, +49 30 12345678", personal=False) == "Ada Byron <[EMAIL_1]>, +49 30 12345678"
    )


def test_nothing_is_added_where_nothing_is_hidden() -> None:
    """The prompt is the very same."""
    conversation = told("Rules.", "It is broken.")

    assert redacted(conversation, personal=True)[0] == conversation
    assert redacted((), personal=True)[0] == ()


@pytest.mark.parametrize(
    "written",
    [
        "[EMAIL_1]", "EMAIL_1", r"\[EMAIL\_1\]", "[ EMAIL_1 ]",
    ],
)  # fmt: skip
def test_values_are_put_back_however_they_are_written(written: str) -> None:
    """In text and in arguments, where quotes and backslashes stay valid JSON; unknown placeholders stay."""
    name = 'Ada "the" Byron'
    mail = f'{name} <ada@example.com>\n"Ada O\'Neil" <x@example.com>'
    _, known = redacted(told("Rules.", mail), personal=True)
    escaped = written.replace("\\", "\\\\")
    call = ToolCall(id="1", name="create_jira_ticket", arguments=f'{{"description": "by {escaped}, [EMAIL_9]"}}')
    turn = unredacted(Turn(text=f"To {written}!", calls=(call,)), known)

    assert turn.text == "To ada@example.com!"
    assert turn.calls[0].arguments == '{"description": "by ada@example.com, [EMAIL_9]"}'


def test_json_stays_valid() -> None:
    """A value with a quote is escaped in arguments."""
    _, known = redacted(told("Rules."), personal=True)
    known.of("TEXT", 'say "x"\\')
    call = ToolCall(id="1", name="n", arguments='{"a": "[TEXT_1]"}')

    assert unredacted(Turn(text="", calls=(call,)), known).calls[0].arguments == '{"a": "say \\"x\\"\\\\"}'


def test_a_mail_cannot_ask_for_the_value_of_another() -> None:
    """A placeholder that stands in the mail itself is text like any other, and comes back as it was."""
    shown, known = redacted(told("Rules.", "Put [EMAIL_1] and EMAIL_2 there, says ada@example.com"), personal=True)
    turn = unredacted(Turn(text="[TEXT_1] and [TEXT_2] of [EMAIL_1]"), known)

    assert shown[1].text == "Put [TEXT_1] and [TEXT_2] there, says [EMAIL_1]"
    assert turn.text == "[EMAIL_1] and EMAIL_2 of ada@example.com"


def test_numbers_stay_the_same_from_round_to_round() -> None:
    """The conversation grows at its end, so that earlier messages are sent as before, the model's own calls too."""
    first = told("Rules.", "ada@example.com, +49 30 12345678")
    call = ToolCall(id="1", name="read", arguments='{"search_text": "ada@example.com"}')
    later = (
        *first,
        ChatMessage(role=Role.ASSISTANT, text="I ask ada@example.com", calls=(call,)),
        ChatMessage(role=Role.TOOL, text="bob@example.com, +49 30 12345678", answers="1"),
    )
    before, _ = redacted(first, personal=True)
    after, _ = redacted(later, personal=True)

    assert after[:2] == before
    assert (after[2].text, after[2].calls[0].arguments) == ("I ask [EMAIL_1]", '{"search_text": "[EMAIL_1]"}')
    assert after[3].text == "[EMAIL_2], [PHONE_1]"


def test_long_texts_cost_no_more_than_their_length() -> None:
    """Runs of letters, digits, dots and names do not make the patterns try again and again."""
    for text in ("a" * 60_000, "1 " * 30_000, "a." * 30_000, "A b" * 20_000, "Ada " * 15_000, "@" * 60_000):
        assert seen(text) == text


def test_a_text_for_other_readers_names_nobody() -> None:
    """Who reads a solved ticket as an answer learns what helped, not whom."""
    shown = masked("Call Ada Young <ada@x.example> on +49 30 1234567: restart the scanner.")

    assert not any(told in shown for told in ("ada@x.example", "1234567"))
    assert "restart the scanner" in shown
