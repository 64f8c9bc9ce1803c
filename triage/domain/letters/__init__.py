"""Letters: the mails that Triage itself writes, and the state of each."""

from triage.domain.letters.letter import (
    DOUBTFUL,
    Letter,
    LetterFile,
    LetterKind,
    LetterState,
    MailFolder,
    Original,
    Returned,
)

__all__ = ["DOUBTFUL", "Letter", "LetterFile", "LetterKind", "LetterState", "MailFolder", "Original", "Returned"]
