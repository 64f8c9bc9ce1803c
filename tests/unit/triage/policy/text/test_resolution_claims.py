"""What says that something works again, and what does not."""

import pytest

from tests.unit.triage.policy.text.test_cues import mail
from triage.domain.findings import Cue
from triage.policy.text.cues import cues_of


@pytest.mark.parametrize(
    "text",
    [
        "The printer error is gone, thanks",
        "The error with the label printers is gone",
        "The VPN outage is over, everybody can connect again",
        "The timeout of yesterday did not come back",
        "L'erreur 500 a disparu, merci",
        "Der Fehler ist seit gestern nicht mehr aufgetreten",
        "O problema já está resolvido, obrigado",
        "Já funciona, podem fechar",
        "Il problema è stato risolto, potete chiudere",
        "De storing is voorbij, alles werkt weer",
        "Problem rozwiązany, dziękuję",
        "Felet är borta nu, tack",
        "Ошибка исчезла, спасибо",
        "The export is fixed now, thanks",
        "It has been resolved.",
        "The printer works for us again",
        "Works now, thanks!",
        "Brill, opens fine in Excel now.",
        "Fixed by restarting the router",
        "Everything is back to normal",
        "I can confirm that it is fixed",
        "You can close the ticket",
        "The problem no longer occurs",
        "Der Fehler ist behoben",
        "Seit heute funktioniert der Export wieder.",
        "Hat sich erledigt",
        "Ya funciona",
        "El problema está solucionado",
        "C'est résolu",
        "L'export fonctionne à nouveau",
        "Už to zase funguje",
        "Opraveno, díky",
        "It was down all day and nobody could ship. " * 3 + "It works again.",
        "Nu virker det igen, tak",
        "正常に動作するようになりました。",
    ],
)
def test_it_works_again(text: str) -> None:
    """That something is repaired is read in five languages, with the words that say so."""
    cue = cues_of(mail(reply=text)).fixed

    assert cue.value == "yes"
    assert cue.evidence


@pytest.mark.parametrize(
    "text",
    [
        "This was fixed in summer, now it is back.",
        "We had that in June, then it was fixed. It fails again.",
        "Das hatten wir im Sommer schon einmal, da wurde es behoben. Jetzt lehnt die Bank die Datei ab.",
        "The file is gone",
        "All my orders disappeared after the error",
        "The error is not gone",
        "Tell me when the outage is over",
        "L'erreur n'a pas disparu",
        "O problema ainda não foi resolvido",
        "Non funziona ancora",
        "Het probleem is niet opgelost",
        "Czy problem jest rozwiązany",
        "Nadal nie działa",
        "It is not fixed",
        "Is it fixed",
        "Was the export fixed yesterday?",
        "When will it be fixed?",
        "It needs to be fixed",
        "Please fix it",
        "Please get this fixed",
        "The dependency cannot be resolved",
        "could not resolve host",
        "I hope it is resolved soon",
        "Once it is fixed, tell me",
        "I thought it was fixed, but it happens again",
        "It is fixed for me, but Anna still sees the error",
        "It works in Chrome",
        "the column has a fixed width",
        "The name is resolved to the wrong address",
        "The banner stands at position:fixed; top:0, so it hides the header of the whole page",
        "has the update fixed it",
        "Noch nicht behoben",
        "Funktioniert wieder nicht",
        "Wird das behoben?",
        "Wann funktioniert der Export wieder",
        "ya no funciona",
        "No está solucionado",
        "Ce n'est pas résolu",
        "Nefunguje to",
        "The steps are these and many more of them follow, as you see. " * 20 + "Deleting the file fixed the problem.",
        "Three weeks ago you fixed that status events arrive twice. Since yesterday each comes two times.",
        "Sonst funktioniert der Druck wieder, nur der Scan nicht",
        "Otherwise the export is fixed",
        "Per il resto il problema è stato risolto",
        "まだ直りませんでした。",
        "Dobrý den. Doufám, že už to zase funguje.",
        "Mam nadzieję, że już działa",
        "Håber, at det virker igen",
    ],
)
def test_it_does_not_work_again(text: str) -> None:
    """Denied, asked, wished, future, doubted, told in passing or otherwise meant: nobody's ticket is closed for that."""
    assert cues_of(mail(reply=text)).fixed == Cue(value="no")


def test_the_subject_says_fixed_unless_it_is_a_reply() -> None:
    """`Resolved: …` counts where the sender wrote it."""
    assert cues_of(mail("Resolved: login")).fixed == Cue(value="yes", evidence=("Resolved",))
    assert cues_of(mail("AW: [RESOLVED] login", "See above.")).fixed == Cue(value="no")
    assert cues_of(mail("Resolved: login", in_reply_to=("a@example.com",))).fixed == Cue(value="no")
