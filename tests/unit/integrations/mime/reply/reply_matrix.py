"""Replies as mail programs write them: one table of languages, one of programs, and the shapes that both come in."""

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

NAME = "Ada Byron"
ADDRESS = "ada.byron@analysis.example.com"
WHO = f"{NAME} <{ADDRESS}>"
TO = "Support <support@acme.example>"
SUBJECT = "Export"


@dataclass(frozen=True)
class Language:
    """What programs of one language write around the quoted mail, and what people write in it."""

    own: str
    """The reply."""
    old: str
    """The mail that it answers."""
    gmail: str
    apple: str
    thunderbird: str
    yahoo: str
    roundcube: str
    k9: str
    name_first: str
    """An attribution that begins with the name."""
    labels: tuple[str, str, str, str]
    """From, Sent, To and Subject of Outlook."""
    date_label: str
    """Date, where a program says so instead of Sent."""
    long_date: str
    original: str
    """Between dashes in Outlook Express, Samsung and Zimbra."""
    device: str


LANGUAGES: dict[str, Language] = {
    "english": Language(
        own="The second scanner works now.\n\nThe first one still shows error 17.",
        old="Could you restart both of them?\nAda",
        gmail=f"On Mon, Mar 9, 2026 at 5:02 PM {WHO} wrote:",
        apple=f"On 9 Mar 2026, at 17:02, {WHO} wrote:",
        thunderbird=f"On 09/03/2026 17:02, {NAME} wrote:",
        yahoo=f"On Monday, March 9, 2026 at 05:02:11 PM GMT+1, {WHO} wrote:",
        roundcube=f"On 2026-03-09 17:02, {NAME} wrote:",
        k9=f"On 9 March 2026 17:02:11 CET, {WHO} wrote:",
        name_first=f"{WHO} wrote on Mon, 9 March 2026 at 17:02:",
        labels=("From", "Sent", "To", "Subject"),
        date_label="Date",
        long_date="Monday, March 9, 2026 5:02 PM",
        original="Original Message",
        device="Sent from my iPhone",
    ),
    "german": Language(
        own="Der zweite Scanner geht jetzt.\n\nDer erste zeigt weiter Fehler 17.",
        old="Können Sie beide neu starten?\nAda",
        gmail=f"Am Mo., 9. März 2026 um 17:02 Uhr schrieb {WHO}:",
        apple=f"Am 09.03.2026 um 17:02 schrieb {WHO}:",
        thunderbird=f"Am 09.03.26 um 17:02 schrieb {NAME}:",
        yahoo=f"Am Montag, 9. März 2026 um 17:02:11 MEZ hat {WHO} Folgendes geschrieben:",
        roundcube=f"Am 09.03.2026 17:02, schrieb {NAME}:",
        k9=f"Am 9. März 2026 17:02:11 MEZ schrieb {WHO}:",
        name_first=f"{WHO} schrieb am Mo., 9. März 2026 um 17:02:",
        labels=("Von", "Gesendet", "An", "Betreff"),
        date_label="Datum",
        long_date="Montag, 9. März 2026 17:02",
        original="Ursprüngliche Nachricht",
        device="Von meinem iPhone gesendet",
    ),
    "french": Language(
        own="Le deuxième lecteur marche.\n\nLe premier affiche encore l'erreur 17.",
        old="Pouvez-vous redémarrer les deux ?\nAda",
        gmail=f"Le lun. 9 mars 2026 à 17:02, {WHO} a écrit :",
        apple=f"Le 9 mars 2026 à 17:02, {WHO} a écrit :",
        thunderbird=f"Le 09/03/2026 à 17:02, {NAME} a écrit :",
        yahoo=f"Le lundi 9 mars 2026 à 17:02:11 UTC+1, {WHO} a écrit :",
        roundcube=f"Le 2026-03-09 17:02, {NAME} a écrit :",
        k9=f"Le 9 mars 2026 17:02:11 GMT+01:00, {WHO} a écrit :",
        name_first=f"{WHO} a écrit le lun. 9 mars 2026 à 17:02 :",
        labels=("De", "Envoyé", "À", "Objet"),
        date_label="Date",
        long_date="lundi 9 mars 2026 17:02",
        original="Mail original",
        device="Envoyé de mon iPhone",
    ),
    "spanish": Language(
        own="El segundo lector ya funciona.\n\nEl primero sigue con el error 17.",
        old="¿Puede reiniciar los dos?\nAda",
        gmail=f"El lun, 9 mar 2026 a las 17:02, {NAME} (<{ADDRESS}>) escribió:",
        apple=f"El 9 mar 2026, a las 17:02, {WHO} escribió:",
        thunderbird=f"El 9/3/26 a las 17:02, {NAME} escribió:",
        yahoo=f"El lunes, 9 de marzo de 2026, 17:02:11 CET, {WHO} escribió:",
        roundcube=f"El 2026-03-09 17:02, {NAME} escribió:",
        k9=f"El 9 de marzo de 2026 17:02:11 CET, {WHO} escribió:",
        name_first=f"{WHO} escribió el lun, 9 de marzo de 2026 a las 17:02:",
        labels=("De", "Enviado el", "Para", "Asunto"),
        date_label="Fecha",
        long_date="lunes, 9 de marzo de 2026 17:02",
        original="Mensaje original",
        device="Enviado desde mi iPhone",
    ),
    "portuguese": Language(
        own="O segundo leitor já funciona.\n\nO primeiro continua com o erro 17.",
        old="Pode reiniciar os dois?\nAda",
        gmail=f"Em seg., 9 de mar. de 2026 às 17:02, {WHO} escreveu:",
        apple=f"Em 9 de mar. de 2026, à(s) 17:02, {WHO} escreveu:",
        thunderbird=f"Em 09/03/2026 17:02, {NAME} escreveu:",
        yahoo=f"Em segunda-feira, 9 de março de 2026 às 17:02:11 GMT+1, {WHO} escreveu:",
        roundcube=f"Em 2026-03-09 17:02, {NAME} escreveu:",
        k9=f"Em 9 de março de 2026 17:02:11 CET, {WHO} escreveu:",
        name_first=f"{WHO} escreveu no dia segunda, 9 de março de 2026 às 17:02:",
        labels=("De", "Enviada em", "Para", "Assunto"),
        date_label="Data",
        long_date="segunda-feira, 9 de março de 2026 17:02",
        original="Mensagem original",
        device="Enviado do meu iPhone",
    ),
    "italian": Language(
        own="Il secondo lettore ora va.\n\nIl primo mostra ancora l'errore 17.",
        old="Può riavviarli tutti e due?\nAda",
        gmail=f"Il giorno lun 9 mar 2026 alle ore 17:02 {WHO} ha scritto:",
        apple=f"Il giorno 9 mar 2026, alle ore 17:02, {WHO} ha scritto:",
        thunderbird=f"Il 09/03/2026 17:02, {NAME} ha scritto:",
        yahoo=f"Il lunedì 9 marzo 2026 alle ore 17:02:11 CET, {WHO} ha scritto:",
        roundcube=f"Il 2026-03-09 17:02 {NAME} ha scritto:",
        k9=f"Il 9 marzo 2026 17:02:11 CET, {WHO} ha scritto:",
        name_first=f"{WHO} ha scritto il giorno lun 9 marzo 2026 alle ore 17:02:",
        labels=("Da", "Inviato", "A", "Oggetto"),
        date_label="Data",
        long_date="lunedì 9 marzo 2026 17:02",
        original="Messaggio originale",
        device="Inviato da iPhone",
    ),
    "dutch": Language(
        own="De tweede scanner werkt weer.\n\nDe eerste geeft nog fout 17.",
        old="Kunt u beide opnieuw starten?\nAda",
        gmail=f"Op ma 9 mrt 2026 om 17:02 schreef {WHO}:",
        apple=f"Op 9 mrt. 2026 om 17:02 heeft {WHO} het volgende geschreven:",
        thunderbird=f"Op 09-03-2026 om 17:02 schreef {NAME}:",
        yahoo=f"Op maandag 9 maart 2026 om 17:02:11 CET schreef {WHO}:",
        roundcube=f"{NAME} schreef op 2026-03-09 17:02:",
        k9=f"Op 9 maart 2026 17:02:11 CET schreef {WHO}:",
        name_first=f"{WHO} schreef op ma 9 maart 2026 om 17:02:",
        labels=("Van", "Verzonden", "Aan", "Onderwerp"),
        date_label="Datum",
        long_date="maandag 9 maart 2026 17:02",
        original="Oorspronkelijk bericht",
        device="Verstuurd vanaf mijn iPhone",
    ),
    "danish": Language(
        own="Den anden scanner virker nu.\n\nDen første viser stadig fejl 17.",
        old="Kan du genstarte begge?\nAda",
        gmail=f"Den man. 9. mar. 2026 kl. 17.02 skrev {WHO}:",
        apple=f"Den 9. mar. 2026 kl. 17.02 skrev {WHO}:",
        thunderbird=f"Den 09.03.2026 kl. 17.02 skrev {NAME}:",
        yahoo=f"Den mandag den 9. marts 2026 17.02.11 CET skrev {WHO}:",
        roundcube=f"Den 2026-03-09 17:02, skrev {NAME}:",
        k9=f"Den 9. marts 2026 17.02.11 CET, skrev {WHO}:",
        name_first=f"{WHO} skrev den man. 9. marts 2026 kl. 17.02:",
        labels=("Fra", "Sendt", "Til", "Emne"),
        date_label="Dato",
        long_date="9. marts 2026 17:02",
        original="Oprindelig meddelelse",
        device="Sendt fra min iPhone",
    ),
    "swedish": Language(
        own="Den andra skannern fungerar nu.\n\nDen första visar ännu fel 17.",
        old="Kan du starta om båda?\nAda",
        gmail=f"Den mån 9 mars 2026 kl 17:02 skrev {WHO}:",
        apple=f"9 mars 2026 kl. 17:02 skrev {WHO}:",
        thunderbird=f"Den 2026-03-09 kl. 17:02, skrev {NAME}:",
        yahoo=f"Den måndag 9 mars 2026 17:02:11 CET skrev {WHO}:",
        roundcube=f"Den 2026-03-09 17:02, skrev {NAME}:",
        k9=f"Den 9 mars 2026 17:02:11 CET, skrev {WHO}:",
        name_first=f"{WHO} skrev den mån 9 mars 2026 kl 17:02:",
        labels=("Från", "Skickat", "Till", "Ämne"),
        date_label="Datum",
        long_date="den 9 mars 2026 17:02",
        original="Ursprungligt meddelande",
        device="Skickat från min iPhone",
    ),
    "norwegian": Language(
        own="Den andre skanneren virker nå.\n\nDen første viser fortsatt feil 17.",
        old="Kan du starte begge på nytt?\nAda",
        gmail=f"man. 9. mars 2026 kl. 17:02 skrev {WHO}:",
        apple=f"9. mars 2026 kl. 17:02 skrev {WHO}:",
        thunderbird=f"Den 09.03.2026 17:02, skrev {NAME}:",
        yahoo=f"mandag 9. mars 2026 kl. 17:02:11 CET skrev {WHO}:",
        roundcube=f"Den 2026-03-09 17:02, skrev {NAME}:",
        k9=f"Den 9. mars 2026 17:02:11 CET, skrev {WHO}:",
        name_first=f"{WHO} skrev man. 9. mars 2026 kl. 17:02:",
        labels=("Fra", "Sendt", "Til", "Emne"),
        date_label="Dato",
        long_date="mandag 9. mars 2026 17:02",
        original="Opprinnelig melding",
        device="Sendt fra min iPhone",
    ),
    "finnish": Language(
        own="Toinen lukija toimii nyt.\n\nEnsimmäinen näyttää yhä virheen 17.",
        old="Voitteko käynnistää molemmat uudelleen?\nAda",
        gmail=f"ma 9. maalisk. 2026 klo 17.02 {WHO} kirjoitti:",
        apple=f"{WHO} kirjoitti 9.3.2026 kello 17.02:",
        thunderbird=f"{NAME} kirjoitti 9.3.2026 klo 17.02:",
        yahoo=f"maanantai 9. maaliskuuta 2026 klo 17.02.11 UTC+2 {WHO} kirjoitti:",
        roundcube=f"{NAME} kirjoitti 2026-03-09 17:02:",
        k9=f"{WHO} kirjoitti 9. maaliskuuta 2026 17.02.11 GMT+02:00:",
        name_first=f"{WHO} kirjoitti ma 9. maaliskuuta 2026 klo 17.02:",
        labels=("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
        date_label="Päivämäärä",
        long_date="maanantai 9. maaliskuuta 2026 17.02",
        original="Alkuperäinen viesti",
        device="Lähetetty iPhonesta",
    ),
    "polish": Language(
        own="Drugi skaner już działa.\n\nPierwszy nadal pokazuje błąd 17.",
        old="Czy można uruchomić oba ponownie?\nAda",
        gmail=f"pon., 9 mar 2026 o 17:02 {WHO} napisał(a):",
        apple=f"Wiadomość napisana przez {WHO} w dniu 9 mar 2026, o godz. 17:02:",
        thunderbird=f"W dniu 9.03.2026 o 17:02, {NAME} pisze:",
        yahoo=f"W dniu poniedziałek, 9 marca 2026 17:02:11 CET użytkownik {WHO} napisał:",
        roundcube=f"W dniu 2026-03-09 17:02, {NAME} napisał(a):",
        k9=f"Dnia 9 marca 2026 17:02:11 CET, {WHO} napisał(a):",
        name_first=f"{WHO} napisał(a) w pon., 9 marca 2026 o 17:02:",
        labels=("Od", "Wysłano", "Do", "Temat"),
        date_label="Data",
        long_date="poniedziałek, 9 marca 2026 17:02",
        original="Oryginalna wiadomość",
        device="Wysłane z iPhone'a",
    ),
    "czech": Language(
        own="Druhá čtečka už funguje.\n\nPrvní stále hlásí chybu 17.",
        old="Můžete obě restartovat?\nAda",
        gmail=f"po 9. 3. 2026 v 17:02 odesílatel {WHO} napsal:",
        apple=f"9. 3. 2026 v 17:02, {WHO}:",
        thunderbird=f"Dne 09. 03. 26 v 17:02 {NAME} napsal(a):",
        yahoo=f"Dne pondělí 9. března 2026 17:02:11 SEČ, {WHO} napsal(a):",
        roundcube=f"Dne 2026-03-09 17:02, {NAME} napsal:",
        k9=f"Dne 9. března 2026 17:02:11 SEČ, {WHO} napsal:",
        name_first=f"{WHO} napsal v po 9. března 2026 v 17:02:",
        labels=("Od", "Odesláno", "Komu", "Předmět"),
        date_label="Datum",
        long_date="pondělí 9. března 2026 17:02",
        original="Původní zpráva",
        device="Odesláno z iPhonu",
    ),
}


@dataclass(frozen=True)
class Reply:
    """One body and what of it the sender wrote now."""

    body: str
    own: str


def marked(text: str, sign: str = "> ") -> str:
    """Quoted line by line."""
    return "\n".join(f"{sign}{line}".rstrip() for line in text.split("\n"))


def block(
    say: Language, values: tuple[str, str, str, str] | None = None, order: str = "fstu", *, bold: str = ""
) -> str:
    """The head of an older mail: From, Sent, To and Subject in the order of a program."""
    from_, sent, to, subject = values or (WHO, say.long_date, TO, SUBJECT)
    fields = dict(zip("fstu", zip(say.labels, (from_, sent, to, subject), strict=True), strict=True))
    fields["d"] = (say.date_label, sent)
    gap = " :" if say.labels[3] == "Objet" else ":"
    return "\n".join(f"{bold}{label}{gap}{bold} {value}" for label, value in (fields[one] for one in order))


def wrapped(text: str, width: int) -> str:
    """Broken where a program breaks it."""
    return "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False))


PROGRAMS: dict[str, Callable[[Language], str]] = {
    "gmail": lambda say: f"{say.own}\n\n{say.gmail}\n\n{marked(say.old)}",
    "gmail, wrapped": lambda say: f"{say.own}\n\n{wrapped(say.gmail, 72)}\n\n{marked(say.old)}",
    "gmail, bracket below": lambda say: (
        f"{say.own}\n\n{say.gmail.replace('.com>', '.com' + chr(10) + '>')}\n\n{marked(say.old)}"
    ),
    "gmail, bracket above": lambda say: f"{say.own}\n\n{say.gmail.replace('<', '<' + chr(10))}\n\n{marked(say.old)}",
    "gmail, html": lambda say: f"{say.own}\n\n{say.gmail}\n\n{say.old}",
    "apple mail": lambda say: f"{say.own}\n\n{marked(say.apple)}\n>\n{marked(say.old)}",
    "ios": lambda say: f"{say.own}\n\n{say.device}\n\n{marked(say.apple)}\n>\n{marked(say.old)}",
    "ios, short and tight": lambda say: f"{say.own.splitlines()[0]}\n{marked(say.apple)}\n>\n{marked(say.old)}",
    "thunderbird": lambda say: f"{say.own}\n\n{say.thunderbird}\n{marked(say.old)}",
    "thunderbird, tight": lambda say: f"{say.own.splitlines()[0]}\n{say.thunderbird}\n{marked(say.old)}",
    "thunderbird, below the quote": lambda say: f"{say.thunderbird}\n{marked(say.old)}\n\n{say.own}",
    "yahoo": lambda say: f"{say.own}\n\n    {say.yahoo}\n\n{say.old}",
    "roundcube": lambda say: f"{say.own}\n\n{say.roundcube}\n{marked(say.old)}",
    "k-9": lambda say: f"{say.own}\n\n{say.k9}\n{marked(say.old, '>')}",
    "name first": lambda say: f"{say.own}\n\n{say.name_first}\n\n{marked(say.old)}",
    "name first, broken in the date": lambda say: f"{say.own}\n\n{wrapped(say.name_first, 66)}\n\n{marked(say.old)}",
    "name first, broken at the address": lambda say: f"{say.own}\n\n{wrapped(say.name_first, 48)}\n\n{marked(say.old)}",
    "outlook": lambda say: f"{say.own}\n\n{block(say)}\n\n{say.old}",
    "outlook, bold": lambda say: f"{say.own}\n\n{block(say, bold='*')}\n\n{say.old}",
    "outlook on the web": lambda say: f"{say.own}\n{'_' * 32}\n{block(say)}\n\n{say.old}",
    "outlook for mac": lambda say: f"{say.own}\n\n{block(say, order='fdtu')}\n{say.old}",
    "outlook, folded": lambda say: (
        f"{say.own}\n\n{block(say, (WHO.replace(' <', chr(10) + '<'), say.long_date, TO, SUBJECT))}\n\n{say.old}"
    ),
    "outlook express": lambda say: f"{say.own}\n\n----- {say.original} -----\n{block(say, order='ftsu')}\n\n{say.old}",
    "samsung": lambda say: f"{say.own}\n\n-------- {say.original} --------\n{block(say, order='fdtu')}\n\n{say.old}",
    "zimbra": lambda say: f"{say.own}\n\n----- {say.original} -----\n{block(say, order='ftsu')}\n\n{marked(say.old)}",
    "zimbra, without a rule": lambda say: f"{say.own}\n\n{block(say, order='ftsu')}\n\n{say.old}",
    "gmx": lambda say: f"{say.own}\n\n{block(say, order='sftu')}\n\n{say.old}",
    "t-online": lambda say: f"{say.own}\n\n-----{say.original}-----\n{block(say, order='udft')}\n\n{say.old}",
    "notes": lambda say: (
        f"{say.own}\n\n{block(say, ('Ada Byron/ACME', '09.03.2026 17:02', 'Support/ACME@ACME', SUBJECT), 'ftdu')}\n\n{say.old}"
    ),
    "em client": lambda say: (
        f"{say.own}\n\n------ {say.original} ------\n{block(say, order='ftdu').replace(':', '', 4)}\n\n{say.old}"
    ),
    "proton": lambda say: f"{say.own}\n\nSent with Proton Mail secure email.\n\n{say.gmail}\n\n{marked(say.old)}",
    "with a signature": lambda say: f"{say.own}\n\n-- \nBen Cole\nDepot West\n\n{say.gmail}\n\n{marked(say.old)}",
}


def replies() -> Iterator[tuple[str, Reply]]:
    """Every language with every program."""
    for language, say in LANGUAGES.items():
        for program, write in PROGRAMS.items():
            own = say.own.splitlines()[0] if "tight" in program else say.own
            yield f"{language}, {program}", Reply(f"{write(say)}\n", own)
