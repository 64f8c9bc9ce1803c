"""By when a mail asks for something, in twenty languages."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from triage.policy.calendar.due_date import days_named, due_date_of

TUESDAY = datetime(2026, 11, 24, 10, tzinfo=timezone(timedelta(hours=1)))
AMERICAN = TUESDAY.replace(tzinfo=timezone(timedelta(hours=-5)))
FRIDAY = date(2026, 11, 27)
NEXT_FRIDAY = date(2026, 12, 4)
MONDAY = LAST = date(2026, 11, 30)
FIFTH = date(2026, 12, 5)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Please repair the scanner by Friday.", FRIDAY),
        ("Please repair the scanner by 5pm on Friday.", FRIDAY),
        ("We need the access by next Friday, please.", NEXT_FRIDAY),
        ("It has to be in a build by Friday the 4th.", NEXT_FRIDAY),
        ("Please repair the scanner by Friday 3 pm.", FRIDAY),
        ("Please send us by Friday 3 labels.", FRIDAY),
        ("Please repair it by Monday the 32nd.", MONDAY),
        ("Bitte bis Freitag, den 4. umstellen.", NEXT_FRIDAY),
        ("Merci de corriger le bordereau avant vendredi 4.", NEXT_FRIDAY),
        ("Por favor, corregidlo antes del viernes 4.", NEXT_FRIDAY),
        ("The export has to run before the end of the month.", LAST),
        ("Could you look at it within three days?", FRIDAY),
        ("Please answer by 12/5/2026.", None),
        ("The deadline is 2026-12-05, the office says.", FIFTH),
        ("The list must be ready before Saturday, December 5.", FIFTH),
        ("Could you grant access by the 5th?", FIFTH),
        ("Please, by EOD.", TUESDAY.date()),
        ("The certificate expires on 5 December, please renew it.", FIFTH),
        ("Das Zertifikat läuft am 5. Dezember ab, bitte erneuern.", FIFTH),
        ("Le certificat expire le 5 décembre, merci de le renouveler.", FIFTH),
        ("El certificado caduca el 5 de diciembre, por favor renovadlo.", FIFTH),
        ("It has to work by tomorrow evening.", date(2026, 11, 25)),
        ("Please do it by the end of November.", LAST),
        ("Please archive it by the end of next month.", date(2026, 12, 31)),
        ("Please archive it by the end of the year.", date(2026, 12, 31)),
        ("Please send the list by the end of the week.", FRIDAY),
        ("Please send the list by the end of next week.", NEXT_FRIDAY),
        ("We must have it two weeks from now, within two weeks.", date(2026, 12, 8)),
        ("Bitte bis 30.11. erledigen.", LAST),
        ("Bitte auf den neuen Stand bringen, bis 3.8.", date(2027, 8, 3)),
        ("Bitte bringt es bis 3.8 auf den neuen Stand.", None),
        ("Wir brauchen die Liste bis spätestens Freitag.", FRIDAY),
        ("Bitte bis Freitag nächster Woche umstellen.", NEXT_FRIDAY),
        ("Bitte vor dem 5. Dezember 2026 umstellen.", FIFTH),
        ("Das muss bis übermorgen laufen.", date(2026, 11, 26)),
        ("Merci de corriger le bordereau avant le 5 décembre.", FIFTH),
        ("Il nous faut la facture d'ici vendredi.", FRIDAY),
        ("Necesitamos la factura hasta el lunes.", MONDAY),
        ("Por favor, antes del 5 de diciembre.", FIFTH),
        ("Necesitamos acceso al calendario de la oficina hasta el lunes.", MONDAY),
        ("Por favor, cambien la lista hasta el lunes.", MONDAY),
        ("Por favor, resolvam até sexta-feira.", FRIDAY),
        ("Precisamos do acesso até 5 de dezembro.", FIFTH),
        ("Serve entro venerdì.", FRIDAY),
        ("Vi chiediamo di correggere entro il 5 dicembre.", FIFTH),
        ("Graag vóór vrijdag oplossen.", FRIDAY),
        ("Please send it by COB Friday.", FRIDAY),
        ("Could you look at it by lunchtime tomorrow?", date(2026, 11, 25)),
        ("We would need the change by mid December.", date(2026, 12, 15)),
        ("Das müsste bis Mitte Dezember fertig sein.", date(2026, 12, 15)),
        ("Bitte bis KW 49 erledigen.", NEXT_FRIDAY),
        ("Bitte bis KW 2 erledigen.", date(2027, 1, 15)),
        ("Bitte bis KW 99 erledigen.", None),
        ("Wanted by: 5 Dec", FIFTH),
        ("Please see the mail from 5 December.", None),
        ("The period from 1 December to 5 December must be selectable.", None),
        ("Het moet uiterlijk 5 december werken.", FIFTH),
        ("Proszę o naprawę do piątku.", FRIDAY),
        ("Musimy wysłać raport do końca miesiąca.", LAST),
        ("Prosím opravte to do pátku.", FRIDAY),
        ("Přístup potřebujeme nejpozději do 5. prosince.", FIFTH),
        ("来週の金曜日までに修正をお願いします。", NEXT_FRIDAY),
        ("12月5日(土)までにご対応ください。", FIFTH),
        ("3日以内にお願いします。", FRIDAY),
    ],
)
def test_a_phrase_with_a_date_gives_the_day(text: str, day: date | None) -> None:
    """A sentence that asks for something by a day gives that day, with the words as evidence."""
    found = due_date_of(text, TUESDAY)

    assert (found and found.day) == day
    assert found is None or found.evidence in text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Hugo joins the planning team on 5 December. He needs a phone.", FIFTH),
        ("Vår nyckel går ut den 5 december. Kan ni förnya den?", FIFTH),
        ("Anna leaves us on Friday. Please disable her accounts at the end of that day.", FRIDAY),
        ("Am Freitag kommt der Gutachter, bis dahin müsste die Waage gehen. Danke.", FRIDAY),
        ("The wages have to be paid on Friday.", FRIDAY),
        ("We need the map tiles there from next Friday on.", NEXT_FRIDAY),
        ("Lea needs the right to edit as of tomorrow.", date(2026, 11, 25)),
        ("Please check it before the inventory on 30 November.", LAST),
        ("Wir müssen die Abrechnung vor Weihnachten verschicken.", date(2026, 12, 24)),
        ("Il faut envoyer les cartes avant Noël.", date(2026, 12, 24)),
        ("Nous avons une conférence avec 80 parents vendredi. Pourriez-vous regarder ?", FRIDAY),
        ("Nuria se incorpora el 5 de diciembre y necesita un portátil.", FIFTH),
        ("Mario prende servizio il 5 dicembre, serve un portatile.", FIFTH),
        ("A Rita começa em 5 de dezembro, precisa de acesso.", FIFTH),
        ("Els komt in dienst op 5 december, graag een laptop.", FIFTH),
        ("Anna zaczyna 5 grudnia, proszę o laptop.", FIFTH),
        ("Jana nastupuje 5. prosince, prosím o notebook.", FIFTH),
        ("Elin börjar den 5 december och behöver en dator.", FIFTH),
        ("Tom starts in the yard on Monday 7 December. He needs a hook.", date(2026, 12, 7)),
        ("Jonas' last day is 30 November. Please take back his badge.", LAST),
        ("We need two berths from 5 to 14 December.", FIFTH),
        ("The payroll runs on the 5th. Please repair it before that.", FIFTH),
        ("I am on holiday from 5 December, so please before that.", FIFTH),
        ("Wir stellen am Freitag um, vorher muss das laufen.", FRIDAY),
        ("Could you have it for me on Friday?", FRIDAY),
        ("La paie est lancée le 5 décembre, il faut que ce soit corrigé avant cette date.", FIFTH),
        ("The invoice dated 5 December 2026 has to be corrected.", None),
        ("The meeting on 5 December is cancelled, please tell Anna.", None),
        ("Wir brauchen zwei Plätze vom 5. bis 14. Dezember.", FIFTH),
        ("Am 5. Dezember ziehen wir in die Räume 3.11 bis 3.14. Bitte bis dahin die Dosen freischalten.", FIFTH),
        (
            "Since I switched to Polish the date picker is wrong: it begins the week on Sunday, a week begins on Monday.",
            None,
        ),
        ("Ab dem 5. Dezember werden Artikel ohne das Feld gesperrt. Bitte ergänzen.", FIFTH),
        ("Version 2 will be switched off on 5 December. Please move to version 3.", FIFTH),
        ("Please help, the listing was removed on Black Friday.", None),
        ("It changed on the 20th. Before that it said 0. Could you please look?", None),
        ("The fair opens on 5 December.", None),
        ("Acontece desde a \u00faltima atualiza\u00e7\u00e3o da app (quinta-feira). Podem ver isto?", None),
        ("The course starts every Friday, please add it.", None),
        ("The training on Friday was good. Could you send the slides?", None),
        ("Could you send a Christmas card?", None),
        ("Anna left us, her badge expires on 3 November 2026. Please send her a laptop.", None),
        ("Rosa joins the team today, 24 November. Could you set up her laptop?", None),
    ],
)
def test_what_begins_on_a_day_is_prepared_by_then(text: str, day: date | None) -> None:
    """A mail that asks for something and names the day on which a thing begins, ends or is due is done by that day."""
    found = due_date_of(text, TUESDAY)

    assert (found and found.day) == day


@pytest.mark.parametrize(
    "text",
    [
        "Since Friday the scanner is broken, please help.",
        "On Friday it broke, please look.",
        "It worked before Monday, please check.",
        "You were asked to fix it by Friday and nothing happened.",
        "I am on holiday until Friday, please call my colleague.",
        "The shop is open until Friday.",
        "The certificate expired on 5 December, logins fail, please help.",
        "Our offer expires on 5 December.",
        "What we expect: the whole barcode, as until Friday.",
        "Bitte auf die neue Fassung wechseln, bis 3.8 lief es.",
        "Bis Freitag ging es noch, bitte prüfen.",
        "Tot vrijdag werkte het nog.",
        "Please deliver by November 31.",
        "Please deliver within 0 days.",
        "The deadline was 2025-12-01, please hurry.",
        "Please send it by 20 November.",
        "",
    ],
)
def test_no_date_is_made_of_what_was(text: str) -> None:
    """What tells of the past, of an absence, of no possible day or of a day that has passed gives no due date."""
    assert due_date_of(text, TUESDAY) is None


def test_month_and_day_follow_the_zone_of_english_senders() -> None:
    """`12/5` is the fifth of December for an English text from America, the twelfth of May elsewhere."""
    found = due_date_of("Please answer by 12/5/2026.", AMERICAN)
    assert found
    assert found.day == FIFTH
    other = due_date_of("Please answer by 5/12/26.", TUESDAY)
    assert other
    assert other.day == FIFTH


def test_a_day_that_passed_before_the_mail_came_is_none() -> None:
    """A mail that was under way for a week asks for nothing by a day that is over."""
    text = "Please repair it by Friday."

    assert due_date_of(text, TUESDAY, TUESDAY.astimezone(UTC))
    assert due_date_of(text, TUESDAY, TUESDAY + timedelta(days=7)) is None


def test_the_weekday_of_today_is_the_one_in_a_week() -> None:
    """`by Tuesday`, written on a Tuesday, means the next one; the nth of a month that is over means the next month's."""
    found = due_date_of("Please do it by Tuesday.", TUESDAY)
    assert found
    assert found.day == date(2026, 12, 1)
    found = due_date_of("Please do it by the 28th.", TUESDAY)
    assert found
    assert found.day == date(2026, 11, 28)


def test_time_grows_with_the_text_alone() -> None:
    """A text of words for `by` without a date is read to the limit and no farther."""
    assert due_date_of("bis zum 5 by the way of before until " * 20_000 + "please by Friday.", TUESDAY) is None


def test_days_are_named_without_being_asked_for() -> None:
    """Dates behind a word for `by` come first; a day that does not exist is none, and `Sat` alone is no day."""
    found = [
        day for _, day in days_named("We met; on 31.2.2027 or on Monday, by 5 December. Sat down.", TUESDAY, ["en"])
    ]

    assert found == [FIFTH, MONDAY, FIFTH]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("周五之前请修复。", FRIDAY),
        ("请在下周五之前完成。", NEXT_FRIDAY),
        ("请在12月4日前完成。", NEXT_FRIDAY),
        ("请于月底前修复。", LAST),
        ("请在三天内回复。", FRIDAY),
        ("12月4日之前一直正常。", None),
        ("我休假到周五。", None),
        ("금요일까지 부탁드립니다.", FRIDAY),
        ("12월 4일까지 수정해 주세요.", NEXT_FRIDAY),
        ("3일 이내에 회신 바랍니다.", FRIDAY),
        ("금요일까지 휴가입니다.", None),
        ("今週中に修正をお願いします。", FRIDAY),
        ("Kan I rette det inden fredag?", FRIDAY),
        ("Vi skal bruge det senest fredag.", FRIDAY),
        ("Jeg er på ferie til fredag.", None),
        ("Vi trenger det innen 4. desember.", NEXT_FRIDAY),
        ("Tarvitsemme tämän perjantaihin mennessä.", FRIDAY),
        ("Olen lomalla perjantaihin asti.", None),
        ("Kérjük, javítsák legkésőbb péntekig.", FRIDAY),
        ("Péntek óta nem működik.", None),
        ("Vă rog să rezolvați până pe 4 decembrie.", NEXT_FRIDAY),
        ("Sunt în concediu până luni.", None),
        ("Potrebujeme to najneskôr 4. decembra.", NEXT_FRIDAY),
        ("Od piatku to nejde.", None),
        ("Потрібно виправити до п'ятниці.", FRIDAY),
        ("Принтер не працює з п'ятниці.", None),
    ],
)
def test_days_are_read_in_all_languages_that_list_them(text: str, day: date | None) -> None:
    """Chinese and Korean put the word for `by` behind the day, Hungarian into it; who is away until a day asks for nothing."""
    found = due_date_of(text, TUESDAY)

    assert (found.day if found else None) == day
