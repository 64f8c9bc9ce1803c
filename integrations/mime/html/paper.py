"""Collects the lines of an HTML page as they appear, with what its markup says about them."""

import re
from dataclasses import dataclass, field
from typing import Final

from triage.domain.mail import TextMark

CELLS: Final = " | "
"""Stands between the cells of a table row."""
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")


@dataclass(slots=True)
class Paper:
    """Collects the lines of the text."""

    lines: list[str] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)
    line: str = ""
    quotes: int = 0
    signatures: int = 0
    """Open elements that are a signature."""
    signature: list[str] = field(default_factory=list)
    """The lines of signatures outside quotes."""
    lists: list[int] = field(default_factory=list)
    """Per open list the number of its last item; -1 for a list without numbers."""
    bullet: str = ""
    rich: list[tuple[str, tuple[TextMark, ...]]] = field(default_factory=list)
    """Kind and marks of each line."""
    kind: str = ""
    """Of the current line."""
    marks_here: list[TextMark] = field(default_factory=list)
    """Marks of the current line, by its own places."""
    open_marks: list[tuple[str, int]] = field(default_factory=list)
    """Kind and place on the current line of each mark that is open."""
    _blank: bool = False
    _cell: bool = False
    _mark: bool = False

    def write(self, text: str, *, as_is: bool, kind: str = "") -> None:
        """Add text of a kind to the current line."""
        if as_is:
            for number, piece in enumerate(text.split("\n")):
                if number:
                    self.new_line()
                self._append(piece)
                self.kind = kind
            return
        flat = _SPACES.sub(" ", text)
        self.kind = kind if flat.strip() else self.kind
        self._append(flat.removeprefix(" ") if not self.line or self.line.endswith(" ") else flat)

    def _append(self, text: str) -> None:
        if not text:
            return
        if self._cell and self.line.strip() and text.strip():
            self.line = f"{self.line.rstrip()}{CELLS}"
            text = text.lstrip(" ")
        if text.strip():
            self._cell = False
        self.line += text

    def begin_mark(self, kind: str) -> None:
        """Open a mark at the current place."""
        self.open_marks.append((kind, len(self.line)))

    def end_mark(self, kind: str) -> None:
        """Close the innermost mark; the part on this line is `kind`."""
        if self.open_marks:
            _, start = self.open_marks.pop()
            while self.line.startswith(CELLS, start):
                start += len(CELLS)
            if start < len(self.line) and kind:
                self.marks_here.append(TextMark(start, len(self.line), kind))

    def new_line(self) -> None:
        """End the current line, which may be empty."""
        self._flush()

    def block(self, *, spaced: bool) -> None:
        """Begin a new line, with a blank one above if `spaced`."""
        if self.line.strip() or self.line.endswith("\xa0"):
            self._flush()
        self.line, self._cell = "", False
        self._blank = self._blank or spaced

    def cell(self) -> None:
        """Separate the next cell of a table row."""
        self._cell = True

    def mark(self) -> None:
        """Mark the next line as the start of history."""
        self._mark = True

    def finished(self) -> list[str]:
        """Return all lines; `marks` stay right since blank lines are cut at the end only."""
        self.block(spaced=False)
        while self.lines and not self.lines[-1].strip("> "):
            self.lines.pop()
            self.rich.pop()
        return self.lines

    def _flush(self) -> None:
        prefix = "> " * self.quotes
        text = self.line.replace("\xa0", " ").rstrip()
        marks = [*self.marks_here, *(TextMark(start, len(self.line), kind) for kind, start in self.open_marks if kind)]
        self.line, self.marks_here = "", []
        self.open_marks = [(kind, 0) for kind, _ in self.open_marks]
        kind, self.kind = self.kind, ""
        if not text and (not self.lines or not self.lines[-1].strip("> ")):
            return
        if text:
            if self._blank and self.lines and self.lines[-1].strip("> "):
                inside = self.lines[-1].startswith(">")
                self.lines.append(prefix.rstrip() if inside else "")
                self.rich.append(("", ()))
            self._blank = False
            if self.signatures and not self.quotes:
                self.signature.append(text)
            if self._mark:
                self.marks.add(len(self.lines))
                self._mark = False
            indent = "  " * max(0, len(self.lists) - 1) if self.lists else ""
            prefix += f"{indent}{self.bullet or ('  ' if self.lists else '')}"
            self.bullet = ""
        self.lines.append(f"{prefix}{text}".rstrip())
        moved = (TextMark(one.start + len(prefix), one.end + len(prefix), one.kind) for one in marks)
        self.rich.append((kind, tuple(one for one in moved if one.start < one.end)))
