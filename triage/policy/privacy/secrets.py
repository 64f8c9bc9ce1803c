"""Masks secrets in a mail's text: passwords, tokens, private keys, card numbers and IBANs with a right checksum."""

import re
from dataclasses import replace
from typing import Final

from triage.domain.mail import Message, RichLine
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.untrusted import Untrusted
from triage.policy.text.word_patterns import levelled, one_of, words_in

MASKED: Final = "secrets-masked"
"""Flag of a mail in which a secret was masked."""
SHORTEST_TOKEN: Final = 8
SHORTEST_PASSWORD: Final = 4
VALUE_ENDS: Final = ",;.)*_\u201c\u201d\u00bb"
"""Signs behind a secret that belong to the sentence."""
MOST_BETWEEN: Final = 60
"""Characters between the word and a password that is apart from it."""
MOST_ZEROS: Final = 9
"""In a card number; dumps of memory have more."""

_KEY_BLOCK: Final = re.compile(
    r"-----BEGIN (?P<kind>(?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?)-----(?:(?!-----)[^\x00]){0,20000}(?:-----END (?P=kind)-----)?"
)
_TOKEN: Final = re.compile(
    r"""
      (?<![\w-])(?:
        (?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)
      | gh[pousr]_[A-Za-z0-9]{30,255} | github_pat_\w{30,255} | glpat-[\w-]{20,64}
      | xox[abeoprs]-[\w-]{10,255} | [spr]k_(?:live|test)_[A-Za-z0-9]{16,255}
      | AIza[\w-]{35} | ya29\.[\w-]{20,2000} | sk-(?:[a-z]+-)?[\w-]{20,255} | ATATT3[\w=.-]{20,400}
      | npm_[A-Za-z0-9]{36} | pypi-[\w-]{50,400} | SG\.[\w-]{16,64}\.[\w-]{16,64} | hf_[A-Za-z0-9]{30,64}
      | whsec_[A-Za-z0-9+/=]{16,255} | dop_v1_[0-9a-f]{64}
      | eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,4000}
      )
    """,
    re.VERBOSE,
)
_HEADER: Final = re.compile(
    r"(?P<label>\b(?:Proxy-)?Authorization\s*:\s*(?:Bearer|Basic|Token|Digest)\s+|\bX-Api-Key\s*:\s*)(?P<value>(?!\[)[^\s'\"]{6,4000})",
    re.IGNORECASE,
)
_URL: Final = re.compile(
    r"""(?P<label>\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'"<>(){}$]{1,80}:)(?P<value>[^\s/@'"<>(){}$]{1,200})(?=@)""",
    re.IGNORECASE,
)
CARD: Final = re.compile(r"(?<![\w.,:/+-])\d(?:[ -]?\d){12,18}(?![\w]|[.,:/-]\d)")
_BRANDS: Final = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|5\d\d|4[4-9]\d)\d{12}|"
    r"62\d{14,17}"
)
_BEFORE_CARD: Final = 24
IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_LENGTHS: Final = {
    length: codes.split()
    for length, codes in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS", 23: "AE GI IL", 24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "PT",
        26: "IS TR", 27: "FR GR IT MC SM", 28: "AL AZ CY DO GT HU LB PL", 29: "BR PS QA UA", 30: "JO KW MU", 31: "MT",
    }.items()
}  # fmt: skip
_IBAN_LENGTH: Final = {code: length for length, codes in _LENGTHS.items() for code in codes}
_NO_VALUE: Final = words_in("secret.no_values")
_NUMBERED: Final = lazy_pattern(lambda: rf"{one_of('secret.numbered')}\W{{0,6}}(?:(?:no|nr|number|num|n)\W{{0,3}})?$")
_PLACEHOLDER: Final = re.compile(r"[\[<$%{*•.#?-]|x{3,}|…", re.IGNORECASE)
"""Begins what stands for a value and is none."""
_GLUE: Final = r"""["'*_`]{0,3}\s{0,3}"""


def masked(text: str) -> str:
    """Return the text with every secret replaced by `[password masked]` or its like; masking twice changes nothing."""
    shown = _KEY_BLOCK.sub("[private key masked]", text)
    shown = _TOKEN.sub("[token masked]", shown)
    shown = _HEADER.sub(r"\g<label>[token masked]", shown)
    shown = _URL.sub(r"\g<label>[password masked]", shown)
    shown = _labelled(shown)
    shown = CARD.sub(_card, shown)
    return IBAN.sub(_iban, shown)


def masked_mail(mail: Message) -> Message:
    """Return the mail with secrets masked in subject and text, flagged if there was one; the raw bytes keep them."""
    texts = {name: getattr(mail, name) for name in ("subject", "text", "reply", "quoted")}
    shown = {text: Untrusted(masked(text)) for text in set(texts.values())}
    replaced = {name: shown[text] for name, text in texts.items()}
    rich = _masked_lines(mail.rich)
    if replaced == texts:
        return mail
    headers = tuple(
        (name, masked(value) if name in {"subject", "thread-topic"} else value) for name, value in mail.headers
    )
    return replace(mail, **replaced, rich=rich, headers=headers, flags=tuple(sorted({*mail.flags, MASKED})))  # type: ignore[arg-type] # the names are those of text


def _masked_lines(lines: tuple[RichLine, ...]) -> tuple[RichLine, ...]:
    """Mask the lines of HTML together, since a key has several; they lose their markup if lines vanish with a secret."""
    texts = masked("\n".join(line.text for line in lines)).split("\n")
    if len(texts) != len(lines):
        return tuple(RichLine(Untrusted(text)) for text in texts) if lines else ()
    return tuple(
        line if line.text == text else RichLine(Untrusted(text), line.kind)
        for line, text in zip(lines, texts, strict=True)
    )


def _label(topic: str) -> str:
    """Match a label, what joins it to its value, and the value; `is` joins only what no plain word is."""
    names, label = one_of(f"secret.{topic}"), one_of("secret.said")
    bare = names.replace(r"(?<!\w)", r"(?<![^\W_])")  # `db_password=`
    joins = rf"(?:{_GLUE}(?:[:=\uff1a]|=>)\s{{0,3}}(?:\n\s{{0,3}}(?=\S+(?:\n|$)))?|\s+(?:{label}\s*:?|:)\s*(?P<said>))"
    return rf"{bare}{joins}[\"'*_`\u201e\u201c]{{0,3}}(?P<value>[^\s\"'`<>]{{3,400}})"


def _mention(topic: str) -> str:
    """Match a label and further on in its sentence a colon or `to`, and a value: `password of the copy, if you need it: …`."""
    names, becomes = one_of(f"secret.{topic}"), one_of("secret.becomes")
    joins = rf"(?:[^\n.!?:=\uff1a]{{0,{MOST_BETWEEN}}}[:\uff1a]|(?:\s+[^\W\d]\w*){{0,3}}\s+{becomes})\s*"
    return rf"{names}{joins}[\"'*_`\u201e\u201c\u201d\u00ab]{{0,3}}(?P<value>[^\s\"'`<>\u201c\u201d\u00bb]{{3,400}})"


_MENTION: Final = lazy_pattern(lambda: _mention("passwords"))
_LABELS: Final = (
    (lazy_pattern(lambda: _label("tokens")), "token"),
    (lazy_pattern(lambda: _label("passwords")), "password"),
)


def _labelled(text: str) -> str:
    """Mask what stands behind a word such as `password:`."""
    for pattern, name in _LABELS:
        kept, start = [], 0
        for found in pattern.finditer(levelled(text)):
            value = text[slice(*found.span("value"))].rstrip(VALUE_ENDS)
            if _is_secret(
                value,
                name,
                introduced=found["said"] is not None,
                alone=not text[found.end("value") : found.end("value") + 1].strip(" "),
            ):
                kept += [text[start : found.start("value")], f"[{name} masked]"]
                start = found.start("value") + len(value)
        text = "".join((*kept, text[start:]))
    return _mentioned(text)


def _mentioned(text: str) -> str:
    """Mask passwords that stand apart from their word and are plainly none of language."""
    kept, start = [], 0
    for found in _MENTION.finditer(levelled(text)):
        value = text[slice(*found.span("value"))].rstrip(VALUE_ENDS)
        if _is_strong(value):
            kept += [text[start : found.start("value")], "[password masked]"]
            start = found.start("value") + len(value)
    return "".join((*kept, text[start:]))


def _is_strong(value: str) -> bool:
    """Tell whether a value has letters, figures and signs or capitals, as passwords have and names of errors have not."""
    signs = re.search(r"\w[!$%&\u00a7#@*^+]", value)
    capital, small = re.search(r"[A-Z]", value[1:]), re.search(r"[a-z]", value)
    plain = _PLACEHOLDER.match(value) or re.search(r"[(/\[]|(?:Exception|Error)$|^\w+-\d+$|@[\w-]+\.\w", value)
    figures = re.search(r"\d", value) and re.search(r"[^\W\d]", value)
    return len(value) >= SHORTEST_TOKEN and bool(figures and (signs or (capital and small))) and not plain


def _is_secret(value: str, name: str, *, introduced: bool, alone: bool) -> bool:
    """Tell whether a value is a secret rather than a word that goes on with the sentence."""
    if _PLACEHOLDER.match(value) or "(" in value or "://" in value or _NO_VALUE.fullmatch(levelled(value).rstrip("!?")):
        return False
    mixed = bool(re.search(r"\d", value) and re.search(r"[^\W\d]", value)) or bool(re.search(r"\w[!$%&§#@*^+]", value))
    if name == "token":
        return len(value) >= SHORTEST_TOKEN and mixed and not re.fullmatch(r"[\w-]+\.\w{1,4}", value)
    if mixed:
        return len(value) >= SHORTEST_PASSWORD
    return not introduced and alone and len(value) >= SHORTEST_PASSWORD and not _NO_VALUE.match(levelled(value))


def card_in(found: re.Match[str]) -> str:
    """Return what `CARD` has found if it is the number of a card, else nothing."""
    digits = re.sub(r"\D", "", found[0])
    before = levelled(found.string[max(0, found.start() - _BEFORE_CARD) : found.start()])
    if not (_BRANDS.fullmatch(digits) and _luhn(digits)) or digits.count("0") > MOST_ZEROS or _NUMBERED.search(before):
        return ""
    return found[0]


def _card(found: re.Match[str]) -> str:
    card = card_in(found)
    return f"[card number masked, ends in {re.sub(r'[^0-9]', '', card)[-4:]}]" if card else found[0]


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0  # noqa: PLR2004 - the sum of two digits


def iban_in(found: re.Match[str]) -> str:
    """Return the beginning of what `IBAN` has found that is an IBAN of its country's length, else nothing.

    Words may follow behind a blank.
    """
    digits = found[0]
    length = _IBAN_LENGTH.get(digits[:2].upper(), 0)
    end = next((at for at in range(len(digits) + 1) if length and len(digits[:at].replace(" ", "")) == length), 0)
    bare = digits[:end].replace(" ", "").upper()
    number = "".join(str(int(sign, 36)) for sign in bare[4:] + bare[:4])
    return "" if not end or digits[end : end + 1].strip() or int(number) % 97 != 1 else digits[:end]


def _iban(found: re.Match[str]) -> str:
    iban = iban_in(found)
    return f"[IBAN masked, ends in {iban.replace(' ', '').upper()[-4:]}]{found[0][len(iban) :]}" if iban else found[0]
