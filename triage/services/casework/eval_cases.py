"""Exports a case as a test case for `triage eval cases`: its anonymised mail and the expected result."""

import io
import mimetypes
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any, Final

import yaml

from triage.domain.cases import Case, Outcome, case_id
from triage.domain.errors import NotRead
from triage.domain.mail import Address, Message, Trust
from triage.domain.ports import Archive
from triage.domain.reports import CaseFilter, Report
from triage.domain.text.visible import visible
from triage.services.casework.anonymous import MailAnonymiser

EARLIER: Final = 9
"""Earlier mails of the same ticket that go along, so that the last one finds its thread."""
HEADERS: Final = ("auto-submitted", "precedence", "list-id", "list-unsubscribe", "list-unsubscribe-post", "importance")
"""Headers that say what kind of mail it is; all others are left out."""
LONGEST: Final = 200_000
"""Characters of a text that a test case keeps."""
LINE: Final = 900
"""Bytes of a line up to which a text is stored as people read it."""
TYPES: Final = frozenset({"Bug", "Story", "Task"})
PRIORITIES: Final = frozenset({"Highest", "High", "Medium", "Low"})
"""What the sandbox's project has."""


@dataclass(frozen=True, slots=True)
class EvalCase:
    """A test case for `triage eval cases`: its files, by name."""

    files: Mapping[str, bytes]

    def zipped(self) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files.items():
                archive.writestr(zipfile.ZipInfo(name), content)
        return out.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCases:
    """Called by the page of a case. Raises `StoreDown`, `CaseNotFound`, and `NotRead` for a mail that is not parsed yet."""

    archive: Archive
    domains: Callable[[], frozenset[str]] = frozenset
    """Returns our own domains as they are now."""

    async def of(self, case: str) -> EvalCase:
        """Return the test case of a case, with the earlier mails of its ticket before it."""
        report = await self.archive.report(case_id(case))
        reports = [*await self._earlier(report), report]
        project = (report.case.ticket or "").rpartition("-")[0]
        return EvalCase(files_of(reports, MailAnonymiser(project, self.domains())))

    async def _earlier(self, report: Report) -> Sequence[Report]:
        if report.case.outcome is Outcome.TICKETED or not report.case.ticket:
            return ()
        lines = await self.archive.cases(EARLIER, None, report.case.id, CaseFilter(ticket=report.case.ticket))
        found = [await self.archive.report(line.id) for line in reversed(lines)]
        return [one for one in found if one.case.message]


def files_of(reports: Sequence[Report], names: MailAnonymiser) -> dict[str, bytes]:
    """Return mails and expectations of these cases, oldest first, beside a project without other tickets."""
    files: dict[str, bytes] = {"tickets.yaml": b"[]\n"}
    made: dict[str, str] = {}
    for report in reports:
        if report.case.message is None:
            raise NotRead(report.case.id)
        _know(names, report.case.message)
    for number, report in enumerate(reports, 1):
        name = f"{number:02}-case"
        files[f"{name}.eml"] = mail_of(report.case, names)
        files[f"{name}.yaml"] = yaml.safe_dump(expected_of(report, made), sort_keys=False).encode()
        if report.case.outcome is Outcome.TICKETED and report.case.ticket:
            made[report.case.ticket] = f"mail:{number:02}"
    return files


def _know(names: MailAnonymiser, mail: Message) -> None:
    for one in (*([mail.sender] if mail.sender else []), *mail.to, *mail.cc, *mail.reply_to):
        names.know(one.name, one.address)


def mail_of(case: Case, names: MailAnonymiser) -> bytes:
    """Rebuild the mail from its parsed parts: text, envelope, and attachments without content."""
    mail, new = case.mail, EmailMessage(policy=SMTP)
    for name, people in (("From", [mail.sender] if mail.sender else []), ("To", mail.to), ("Cc", mail.cc)):
        if names_listed := ", ".join(_person(one, names) for one in people):
            new[name] = names_listed
    new["Subject"] = names.text(visible(mail.subject)).replace("\n", " ")
    if mail.date:
        new["Date"] = mail.date
    new["Message-ID"] = f"<{names.message_id(mail.message_id or case.id)}>"
    for name, ids in (("In-Reply-To", mail.in_reply_to), ("References", mail.references)):
        if ids:
            new[name] = " ".join(f"<{names.message_id(one)}>" for one in ids)
    for name in HEADERS:
        if value := visible(mail.header(name)).replace("\n", " "):
            new[name.title()] = names.text(value)
    text = names.text(visible(mail.text[:LONGEST]))
    short = all(len(line.encode()) <= LINE for line in text.split("\n"))
    new.set_content(text, cte="8bit" if short else "base64")
    for number, one in enumerate(mail.attachments, 1):
        main, _, kind = one.content_type.partition("/")
        ending = mimetypes.guess_extension(one.content_type) or ".bin"
        main, kind = (main, kind) if kind and main not in {"message", "multipart"} else ("application", "octet-stream")
        new.add_attachment(b"", maintype=main, subtype=kind, filename=f"file-{number}{ending}")
    return new.as_bytes()


def _person(one: Address, names: MailAnonymiser) -> str:
    name = "".join(sign for sign in names.text(visible(one.name)) if sign.isalnum() or sign == " ").strip()
    address = names.address(one.address) if "@" in one.address else "nobody@site.example"
    return f"{name} <{address}>" if name else address


def expected_of(report: Report, made: Mapping[str, str]) -> dict[str, Any]:
    """Return the expected result of the mail: its outcome, with people's corrections."""
    case = report.case
    found = case.classification.disposition
    expected: dict[str, Any] = {"about": f"Made of {case.id}", "action": str(case.outcome or Outcome.WAITING)}
    if case.identity.trust is Trust.VERIFIED:
        expected["verdict"] = "verified"
    elif case.verdict is not None:  # without one nobody has checked the sender, who counts as more than unproven then
        expected["verdict"] = "unverified"
    if found:
        expected["disposition"] = (case.correction.disposition if case.correction else found.disposition).value
    match case.outcome:
        case Outcome.TICKETED:
            expected |= {"ticket": "new", **_written(case)}
        case Outcome.COMMENTED | Outcome.UPDATED if case.ticket and case.ticket in made:
            expected["ticket"] = made[case.ticket]
        case Outcome.IGNORED:
            expected["ticket"] = "none"
    return expected


def _written(case: Case) -> dict[str, str]:
    """Return type and priority of the ticket that the case created, where the sandbox's project has them."""
    for call in case.calls:
        if written := call.facts.get("written"):
            known = {"type": TYPES, "priority": PRIORITIES}
            return {name: written[name] for name, values in known.items() if written.get(name) in values}
    return {}
