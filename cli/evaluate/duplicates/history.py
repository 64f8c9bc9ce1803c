"""Reads the reports of trackers as one history: what each was when it came, when it was done, and which are the same matter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from cli.evaluate.data_files import GIVEN_AWAY, rows_of
from triage.domain.errors import SettingsInvalid
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted

PROJECT: Final = "ALL"
"""Key of the project that holds all reports, numbered by age."""
OTHER_TIMES: Final = ("%d/%b/%y %H:%M", "%d/%b/%y %I:%M %p")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReport:
    """A report as it was created, and when it was done."""

    id: str
    file: Path
    type: str
    summary: str
    description: str
    components: tuple[str, ...]
    created: datetime
    done: datetime | None
    duplicates: tuple[str, ...]
    """Ids that it was later found to be the same as."""
    resolution: str

    def ticket(self, key: str, now: datetime) -> Ticket:
        done = self.done if self.done is not None and self.done < now else None
        return Ticket(
            key=key,
            summary=Untrusted(self.summary),
            description=Untrusted(self.description),
            status="Done" if done else "Open",
            category="done" if done else "new",
            issue_type=self.type,
            components=self.components,
            created=self.created,
            updated=done or self.created,
            done_at=done,
        )


@dataclass(frozen=True, slots=True)
class DuplicateHistory:
    """All reports by age, and the groups that are the same matter."""

    reports: tuple[HistoryReport, ...]
    groups: Mapping[str, frozenset[str]]
    """Id → ids of its group, itself included; reports that are alone are left out."""

    def duplicates(self, file: Path) -> list[HistoryReport]:
        """Return the file's reports whose `dup_of` names an earlier report."""
        age = {report.id: place for place, report in enumerate(self.reports)}
        return [
            report
            for place, report in enumerate(self.reports)
            if report.file == file and any(age.get(other, place) < place for other in report.duplicates)
        ]

    def others(self, file: Path) -> list[HistoryReport]:
        """Return the file's reports that nobody found to be the same as any other."""
        return [
            report
            for report in self.reports
            if report.file == file
            and report.id not in self.groups
            and not report.duplicates
            and report.resolution != "Duplicate"
        ]


def history_of(files: Iterable[Path]) -> DuplicateHistory:
    """Read the files as one history. Raises `SettingsInvalid` for a file that is not of the schema."""
    reports = sorted((report for file in dict.fromkeys(files) for report in _read(file)), key=attrgetter("created"))
    return DuplicateHistory(tuple(reports), _groups(reports))


def _read(file: Path) -> Iterator[HistoryReport]:
    for number, row in rows_of(file, ("id", "summary", "created")):
        try:
            yield _report(row, file)
        except (ValueError, TypeError) as e:
            raise SettingsInvalid((f"{file.name}, line {number}: is no report ({e.__class__.__name__}: {e})",)) from e


def _report(row: Mapping[str, Any], file: Path) -> HistoryReport:
    return HistoryReport(
        id=str(row["id"]),
        file=file,
        type=str(row.get("type") or "Bug"),
        summary=GIVEN_AWAY.sub(" ", row["summary"] or ""),
        description=GIVEN_AWAY.sub(" ", row.get("description") or ""),
        components=tuple(row.get("component") or ()),
        created=_time(row["created"]),
        done=_time(row["resolved"]) if row.get("resolved") else None,
        duplicates=tuple(map(str, row.get("dup_of") or ())),
        resolution=str(row.get("resolution") or ""),
    )


def _time(text: str) -> datetime:
    """Read a time: ISO 8601, or as Jira's CSV exports write it."""
    for form in ("", *OTHER_TIMES):
        try:
            at = datetime.strptime(text, form).replace(tzinfo=UTC) if form else datetime.fromisoformat(text)
        except ValueError:
            continue
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    raise ValueError(f"{text!r} is no time")


def _groups(reports: Sequence[HistoryReport]) -> dict[str, frozenset[str]]:
    """Join reports that name each other, over any number of steps."""
    known = {report.id for report in reports}
    groups: dict[str, set[str]] = {}
    for report in reports:
        for other in report.duplicates:
            if other in known and other != report.id:
                joined = groups.get(report.id, {report.id}) | groups.get(other, {other})
                groups |= dict.fromkeys(joined, joined)
    return {key: frozenset(group) for key, group in groups.items()}
