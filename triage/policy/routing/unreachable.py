"""Finds routing rules that no mail can take: shadowed by an earlier rule, or contradicting themselves."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from triage.config.routing.rule import RoutingRule
from triage.domain.mail import Trust


def unreachable(rules: Sequence[RoutingRule]) -> Iterator[str]:
    """Yield a sentence for each rule that no mail can take."""
    seen: dict[tuple[str, str], list[RoutingRule]] = defaultdict(list)
    subjects: list[RoutingRule] = []
    for rule in rules:
        if why := _contradiction(rule):
            yield f"{rule.name}: no mail can take it: {why}"
        elif shadow := next((one for one in _earlier(rule, seen, subjects) if _covers(one, rule)), None):
            yield f"{rule.name}: no mail reaches it: {shadow.name} before it takes all of its mails"
        key = _key(rule)
        if key[0] == "subject":
            subjects.append(rule)
        else:
            seen[key].append(rule)


def _contradiction(rule: RoutingRule) -> str:
    if rule.sender_email and rule.sender_domain and not rule.sender_email.endswith(f"@{rule.sender_domain}"):
        return f"{rule.sender_email} is not of {rule.sender_domain}"
    return ""


def _earlier(
    rule: RoutingRule, seen: dict[tuple[str, str], list[RoutingRule]], subjects: Sequence[RoutingRule]
) -> Iterator[RoutingRule]:
    """Yield the earlier rules that may cover this one: those under a value that it asks for, and those of any value."""
    domain = rule.sender_domain or rule.sender_email.rpartition("@")[2]
    yield from seen[("any", "")]
    yield from seen[("email", rule.sender_email)]
    yield from seen[("domain", domain)]
    yield from seen[("forwarded", rule.forwarded_from)]
    if rule.subject_contains:
        yield from subjects


def _key(rule: RoutingRule) -> tuple[str, str]:
    """Return the value under which a rule is looked up, one that every rule which it covers has, too."""
    if rule.sender_email:
        return "email", rule.sender_email
    if rule.sender_domain:
        return "domain", rule.sender_domain
    if rule.forwarded_from:
        return "forwarded", rule.forwarded_from
    return ("subject", "") if rule.subject_contains else ("any", "")


def _covers(first: RoutingRule, later: RoutingRule) -> bool:
    """Tell whether every mail of the later rule holds for the first one, too."""
    return _covers_sender(first, later) and _covers_text(first, later) and _covers_circumstances(first, later)


def _covers_sender(first: RoutingRule, later: RoutingRule) -> bool:
    email = not first.sender_email or first.sender_email == later.sender_email
    domain = not first.sender_domain or first.sender_domain in {
        later.sender_domain,
        later.sender_email.rpartition("@")[2],
    }
    proof = first.unproven or not later.unproven or not (first.names_sender or first.forwarded_from)
    return email and domain and proof


def _covers_text(first: RoutingRule, later: RoutingRule) -> bool:
    subject = first.subject_contains.casefold() in later.subject_contains.casefold()
    headers = {(name, pattern.pattern) for name, pattern in later.header_match}
    same = all((name, pattern.pattern) in headers for name, pattern in first.header_match)
    return subject and same and first.forwarded_from in {"", later.forwarded_from}


def _covers_circumstances(first: RoutingRule, later: RoutingRule) -> bool:
    pairs = (
        (first.recipient, later.recipient),
        (first.mailbox, later.mailbox),
        (first.kind, later.kind),
        (first.disposition, later.disposition),
        (first.language, later.language),
        (first.in_project, later.in_project),
    )
    sets = all(not wanted or (own and set(own) <= set(wanted)) for wanted, own in pairs)
    files = first.has_attachment in {None, later.has_attachment}
    return bool(sets) and files and _rank(first.trust_at_least) <= _rank(later.trust_at_least)


def _rank(trust: Trust | None) -> int:
    return trust.rank if trust else 0
