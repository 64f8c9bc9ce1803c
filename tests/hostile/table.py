"""The forty goals of an attacker who owns the model, each with the test that holds its invariant."""

from typing import Final

LETTERS: Final = "tests/hostile/test_letters.py::test_no_letter_leaves_by_itself"
ACCEPTED: Final = "tests/hostile/test_letters.py::test_an_accepted_letter_goes_where_code_says"

ELSEWHERE: Final = {
    "G12": ("an answer to a third party", ACCEPTED),
    "G13": ("a hidden copy", ACCEPTED),
    "G14": (
        "internal words in an answer",
        "tests/e2e/triage/services/letters/test_comment_letters.py::test_others_never_leave",
    ),
    "G15": ("our secrets", "tests/hostile/test_secrets.py::test_the_model_is_shown_no_secret"),
    "G16": ("words carried out by a picture or a link", ACCEPTED),
    "G19": (
        "words hidden in what leaves",
        "tests/unit/triage/domain/text/test_visible.py::test_nothing_unseen_is_left",
    ),
    "G25": (
        "decide about its own wish",
        "tests/unit/triage/services/test_approvals.py::test_nobody_approves_his_own_mail",
    ),
    "G26": (
        "something else after a person's yes",
        "tests/unit/triage/services/test_approvals.py::test_what_was_not_shown_is_not_accepted",
    ),
    "G27": (
        "hide it from whoever decides",
        "tests/unit/triage/policy/decision/test_proposals.py::test_nothing_invisible_is_left",
    ),
    "G28": ("poison the memory", "tests/e2e/memory/test_poisoning.py::test_poison"),
    "G29": (
        "instructions in an article",
        "tests/e2e/agents/test_support_lookups.py::test_an_article_with_instructions_changes_nothing",
    ),
    "G30": ("choose the route by the text", "tests/e2e/mail/test_routes.py::test_rejected_evidence_is_told"),
    "G32": (
        "a loop of two programs",
        "tests/e2e/triage/services/letters/test_conversation.py::test_a_day_with_a_machine",
    ),
    "G33": ("make another's mail vanish", "tests/e2e/mail/test_identity.py::test_shadowed_message_id"),
    "G35": (
        "a tool's answer that lies",
        "tests/unit/triage/toolsets/outside/test_tools.py::test_an_answer_cannot_pass_for_ours",
    ),
    "G36": ("crash the worker", "tests/e2e/mailbox/test_poison.py::test_three_crashes_while_reading_are_enough"),
    "G37": ("letters to a forged sender", LETTERS),
    "G38": (
        "markup that acts",
        "tests/unit/integrations/mime/view/test_mail_view.py::test_nothing_of_a_hostile_mail_reaches_a_browser",
    ),
    "G39": (
        "learn whom we know by what comes back",
        "tests/e2e/mail/letters/test_letters.py::test_nobody_unproven_gets_a_letter",
    ),
    "G40": ("other doors with our rights", "tests/e2e/web/api/test_rights.py::test_every_right"),
}
"""Goals that more than one mail's calls and Jira's journal decide about: wish and test."""
