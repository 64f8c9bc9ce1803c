"""The word lists behind the cues, a language per line: English, German, Spanish, French, Czech.

`stem*` takes every ending, `*` is any one word, `…` a few words between: in the lists of types any, else light ones.
The longest phrase wins, and lists called NO_… only take words away: `scroll down` keeps `down` from the outages.
"""

from typing import Final

# --- how much it matters ----------------------------------------------------------------------

HIGHEST: Final = """
urgent, urgently, urgency, critical, critically, emergency, outage, outages, disaster, showstopper, show stopper
highest priority, top priority, priority highest, priority critical, priority 1, prio 1, p1, p0
severity 1, severity critical, sev 1, sev1, data loss, losing data, lost all data, data breach, security breach
ransomware
is … down, are … down, was … down, were … down, be … down, went … down, goes … down, gone … down, going … down
been … down, still down, keeps going down, completely down, totally down, down again, down since, down for everyone
down for everybody, down for all, down for hours, down right now, down in production
server down, servers down, site down, website down, system down, systems down, service down, services down
network down, vpn down, wifi down, internet down, everything down, production down, prod down, database down
db down, mail down, email down, api down, app down, portal down, host down, node down, cluster down, gateway down
link down, shop down, checkout down, nobody can … work, nobody can … log in, no one can … work, no one can … log in
dringend*, kritisch*, notfall, notfälle, ausgefallen*, ausfall, ausfälle, totalausfall, systemausfall, serverausfall
datenverlust, steht still, stillstand, liegt … lahm, höchste priorität, priorität hoch 1, produktionsausfall
nicht … erreichbar, niemand kann … arbeiten
urgente, urgentes, urgentemente, urgencia, crítico, crítica, críticos, críticas, emergencia, caído, caída, caídos
se … cayó, se ha caído, se … cae, fuera de servicio, pérdida de datos, prioridad máxima, máxima prioridad
nadie puede … trabajar, interrupción del servicio
urgent, urgente, urgents, urgentes, urgence, critique, critiques, en panne, panne, hors service, indisponible
perte de données, priorité maximale, plus personne ne peut … travailler, coupure
urgentn*, naléhav*, kritick*, výpadek, výpadky, výpadku, havárie, nedostupn*, spadl, spadla, spadlo, ztráta dat
nejvyšší priorita, nikdo nemůže … pracovat
"""

HIGH: Final = """
important, importantly, asap, as soon as possible, blocking, blocker, blocks us, blocks me, blocks our
blocks the release
am … blocked, i'm … blocked, are … blocked, we're … blocked, high priority, high prio, priority high, prio high
high importance, importance high, severity high, priority 2, prio 2, p2, severity 2, sev 2, sev2, time sensitive
time critical, need … immediately, needed immediately, needs … immediately, fix … immediately, respond immediately
need … right away, needed right away, need it right away, need this right away, please … immediately, by end of day
by eod, by cob, cannot wait, can't wait, escalate, escalation
wichtig, wichtige, wichtiger, wichtiges, wichtigen, wichtigste, so schnell wie möglich, schnellstmöglich*
schnellstens, möglichst schnell, umgehend, unverzüglich, bitte … sofort, sofort benötigt, brauchen … sofort
baldmöglichst, blockiert uns, blockiert mich
blockierend*, hohe priorität, hoher priorität, priorität hoch, eilt, eilig, eilige, störung
importante, importantes, lo antes posible, cuanto antes, lo más pronto posible, de inmediato, por favor inmediatamente
bloqueante, nos bloquea, bloqueados, prioridad alta, alta prioridad, apremiante
importante, importants, importantes, dès que possible, au plus vite, au plus tôt, merci d'intervenir immédiatement
bloquant, bloquante
nous bloque, bloqués, priorité haute, haute priorité, priorité élevée, le plus rapidement possible
důležité, důležitý, důležitá, důležitou, co nejdříve, co nejrychleji, prosím … okamžitě, prosím … ihned
potřebujeme … ihned, neprodleně, spěchá, blokuje nás
blokující, vysoká priorita, vysokou prioritu
"""

UNHURRIED: Final = """
low priority, lower priority, lowest priority, low prio, priority low, priority lowest, prio low, priority 4
priority 5
prio 4, prio 5, p4, p5, sev 4, sev4, severity low, low severity, low importance, importance low, no rush, no hurry
no urgency, not in a hurry, not in a rush, no pressure, take your time, can wait, at your convenience, at your leisure
whenever you can, whenever you have time, whenever you get a chance, whenever you get around, when you have time
when you get a chance, when time permits, not time critical, not time sensitive, nothing urgent, nice to have
keine eile, eilt nicht, nicht eilig, hat zeit, kann warten, bei gelegenheit, niedrige priorität, niedriger priorität
geringe priorität, geringer priorität, priorität niedrig, wenn sie zeit haben, wenn ihr zeit habt, wenn du zeit hast
unkritisch*, ohne eile, nichts dringendes, nice to have
sin prisa, no hay prisa, no corre prisa, no tengo prisa, baja prioridad, prioridad baja, puede esperar
cuando puedas, cuando puedan, cuando tengas tiempo, cuando tengan tiempo, sin urgencia, no hay urgencia, nada urgente
rien ne presse, pas pressé, pas d'urgence, sans urgence, aucune urgence, priorité basse, basse priorité
faible priorité, peut attendre, quand vous avez le temps, quand vous aurez le temps, quand tu as le temps
rien d'urgent
nespěchá, nespěchám, bez spěchu, není spěch, nízká priorita, nízkou prioritu, až budete mít čas, až bude čas, počká
nic urgentního, nehoří
"""

LOW: Final = """
minor, trivial, cosmetic, typo, typos, spelling mistake, nitpick, nit
geringfügig*, kosmetisch*, kleinigkeit, schönheitsfehler, tippfehler, rechtschreibfehler, schreibfehler
menor, menores, leve, errata, cosmético, cosmética, sin importancia
mineur, mineure, mineurs, mineures, cosmétique, coquille, faute de frappe, bénin
drobný, drobná, drobné, drobnost, kosmetick*, překlep, maličkost
"""

NO_PRIORITY: Final = """
not only, no only, not just, nicht nur, no solo, no sólo, pas seulement, nejen
scroll down, scrolling down, scrolled down, drop down, pull down, drill down, break down, write down, note down
slow down, slows down, slowed down, slowing down, shut down, count down, track down, narrow down, step down
up and down
emergency contact, emergency contacts, emergency number, emergency exit, emergency call, critical path
critical section
critical thinking, critical mass, urgent care, for urgent matters, for urgent issues, for urgent requests
for urgent cases, for urgent inquiries, for urgent enquiries, for urgent support, for emergencies, in urgent cases
in case of emergency, in an emergency, ad blocking, popup blocking, pop up blocking, blocking list
minor version, minor versions, minor release, minor upgrade, minor update, important notice, important information
important legal, important dates, escalation path, escalation policy
in dringenden fällen, im notfall, bei notfällen, wichtiger hinweis, wichtige informationen
en caso de emergencia, en caso de urgencia, aviso importante, en cas d'urgence, numéro d'urgence
v naléhavých případech
menor que, menor a, menor de, la menor
"""

# --- what takes a word back -------------------------------------------------------------------

NEGATIONS: Final = """
not, no, non, never, neither, nor, without, hardly, isn't, aren't, wasn't, weren't, don't, doesn't, didn't, hasn't
haven't
isnt, arent, wasnt, werent, dont, doesnt, didnt, hasnt, if, whether, unless
nicht, kein, keine, keinen, keiner, keinem, keinerlei, nie, niemals, ohne, weder, falls
no, sin, nunca, ni, tampoco, ningún, ninguna, ninguno
ne, n, pas, aucun, aucune, sans, jamais, ni
não, nenhum, nenhuma, mica
není, nejsou, nebyl, nebyla, nebylo, nebyly, ne, bez, žádný, žádná, žádné, nikdy, nemá, pokud
"""
"""Conditions count among them: `if urgent, call` is not urgent."""

NEAR: Final = """
is, it, its, it's, this, that, be, being, been, a, an, the, any, so, very, really, too, that, super, particularly
exactly
overly, all, at, as, of, or, and, think, consider, considered, believe, seem, seems, sound, have, has, there, currently
yet, longer, more, known, major, serious, real, actual, anything, especially, terribly, actually, related, to
es, ist, sind, war, das, dies, so, sehr, besonders, wirklich, allzu, ganz, unbedingt, ein, eine, einen, mehr, oder, und
als, zu, bekannte, bekannten, super
está, son, un, una, tan, muy, nada, realmente, de, más, o, y, el, la, lo, hay, ningún, ninguna, demasiado
especialmente
est, c, ce, cela, si, très, vraiment, une, d, plus, ou, et, trop, pas, particulièrement, y, a, eu
é, foi, muito, são, molto
je, to, tak, moc, nijak, úplně, opravdu, velmi, nebo, příliš, zvlášť, nic
"""
"""What may stand between the negation and the word it takes back."""

# --- what it is -------------------------------------------------------------------------------

BUG_STRONG: Final = """
bug, bugs, crash, crashes, crashed, crashing, exception, exceptions, stack trace, stacktrace, traceback, segfault
core dump, broken, regression, defect, error message, error code, internal server error, null pointer, not working
doesn't work, doesnt work, does not work, don't work, do not work, didn't work, isn't working, isnt working, not work
no longer work, no longer works, stopped working, stops working, won't work, won't load, won't open, won't start
won't print, doesn't load, doesn't open, doesn't start, doesn't print, doesn't show, doesn't save, fails to, failed to
failing to, cannot log in, can't log in, cant log in, unable to log in, cannot login, can't login, unable to login
is … down, are … down, was … down, went … down, been … down, outage, outages, unreachable, freezes, freezing, frozen
hangs, hanging, times out, timed out, blank page, white page, white screen, black screen, blank screen, data loss
fehlermeldung, fehlermeldungen, absturz, abstürze, stürzt … ab, abgestürzt, funktioniert nicht, funktionieren nicht
funktioniert … nicht, funktioniert … nicht mehr, geht … nicht, geht … nicht mehr, kaputt, defekt, ausfall, ausgefallen
lässt sich nicht, lassen sich nicht, schlägt fehl, fehlgeschlagen, nicht … erreichbar, bleibt … hängen, störung
mensaje de error, no … funciona, no … funcionan, dejó de funcionar, deja de funcionar, ha dejado de funcionar
se … cuelga
se … cierra, se … bloquea, excepción, falla, fallas, fallo, fallos, caído, caída, no se puede, no puedo, no podemos
no carga, no abre, no arranca, roto, rota
message d'erreur, ne … fonctionne … pas, ne … fonctionne … plus, ne … marche … pas, ne … marche … plus
ne … fonctionnent … pas, ne … fonctionnent … plus, plante, plantage, exception, cassé, cassée, en panne, bogue
n'arrive pas à, n'arrive plus à, impossible de, ne s'ouvre pas, ne s'affiche pas
chybová hláška, chybové hlášení, nefunguje, nefungují, přestalo fungovat, přestal fungovat, přestala fungovat, spadne
padá, spadla, spadl, rozbit*, výpadek, výjimka, nejde, nelze, zamrzá, zamrzl*
"""

BUG: Final = """
error, errors, issue, problem, problems, refused, refuses, rejected, rejects, denied, invalid, won't let
will not let, fail, fails, failed, failing, failure, failures, faulty, wrong, wrongly
incorrect, incorrectly, unexpected, unexpectedly, timeout, timeouts, corrupt, corrupted, corruption, glitch, glitches
cannot, can't, cant, unable, instead of, missing, disappeared, disappears, vanished, vanishes, lost, loses, empty
blank, duplicated, twice, slow, slowly
does not, doesn't, doesnt, did not, didn't, no longer, ignored, ignores, stuck, cut off
overlap, overlaps, misaligned, garbled, unreadable, too late, should not, shouldn't, should have, misbehaves
fehler, problem, probleme, abgelehnt, ungültig*, verweigert, fehlerhaft*, falsch*, unerwartet*, fehlt, fehlen
verschwunden, leer, leere, langsam, doppelt
error, errores, problema, problemas, rechazado, rechazada, rechaza, inválido, inválida, incorrecto, incorrecta
inesperado, falta, faltan, vacío, vacía, lento, lenta
erreur, erreurs, problème, problèmes, refusé, refusée, rejeté, invalide, incorrect, incorrecte, inattendu, manque
manquant, vide, lent, lente, bloqué
chyba, chyby, chybu, odmítnut*, neplatn*, chybně, problém, problémy, špatně, špatný, chybí, zmizel*, prázdn*, pomal*
"""

FEATURE_STRONG: Final = """
feature request, feature requests, new feature, enhancement, enhancement request, suggestion, feature wish, wishlist
would be nice, would be great, would be helpful, would be useful, would be good, would be awesome, would be cool
would be lovely, be nice if, be great if, would love, would really like, would like to see, like to have, please add
could you add, can you add, please support, please implement, add support, add an option, add the ability, allow us to
nice to have, wish there was, wish we could, would like to request, would like to suggest, i suggest, we suggest
funktionswunsch, feature wunsch, verbesserungsvorschlag, neue funktion, wäre schön, wäre toll, wäre hilfreich
wäre super, wäre gut, wäre nützlich, wünschen uns, wünsche mir, würden uns … wünschen, könnten sie … hinzufügen
könntet ihr … hinzufügen, bitte … ergänzen, vorschlag, anregung
nueva función, nueva funcionalidad, sería … útil, sería … genial, sería … bueno, sería … ideal, nos gustaría
me gustaría, podrían … añadir, podrían … agregar, sugerencia, solicitud de función, mejora
nouvelle fonction, nouvelle fonctionnalité, fonctionnalité, serait … bien, serait … utile, serait … pratique
serait … génial, aimerions, aimerais, pourriez vous … ajouter, suggestion, amélioration
nová funkce, novou funkci, bylo by … dobré, bylo by … skvělé, bylo by … fajn, bylo by … hezké, přidat, doplnit
návrh, uvítali bychom, uvítal bych, požadavek na funkci
"""

FEATURE: Final = """
feature, improve, improvement, improvements, request, requesting, implement, proposal, idea, integrate, wish, add a
support for, ability to, option to, could we get, could we have, can we get, can we have, allow, expose, introduce
verbessern, verbesserung, wunsch, idee, wünschenswert
mejorar, añadir, agregar, propuesta, idea
améliorer, ajouter, proposition, idée
vylepšit, vylepšení, přání, nápad
"""

SUPPORT_STRONG: Final = """
how to, how do i, how do we, how can i, how can we, how could i, how should i, how does, where can i, where do i
where is
question, questions, quick question, guidance, is it possible, is there a way, is there any way, are there any
is there a
can you tell me, could you tell me, can you explain, could you explain, please explain, i'd like to know
would like to know
wondering if, wondering how, wondering whether, i wonder, what is the difference, what does, instructions, tutorial
need help, help me, help us, need access, please reset, reset my password, which version, does it support
do you support
frage, fragen, wie kann ich, wie können wir, wie kann man, wie mache ich, wie funktioniert, wo finde ich, wo kann ich
gibt es eine möglichkeit, ist es möglich, können sie mir sagen, könnten sie mir sagen, können sie mir erklären
anleitung
brauche hilfe, brauchen hilfe, hilfestellung, benötige zugriff, benötige zugang, wissen möchte, wüsste gern*
pregunta, preguntas, consulta, cómo puedo, cómo podemos, cómo se puede, cómo se, dónde puedo, dónde está, es posible
hay alguna forma, me pueden decir, me puede decir, podrían decirme, quisiera saber, necesito ayuda, instrucciones, duda
question, questions, comment puis, comment faire, comment peut on, comment fonctionne, où puis, où se trouve
est il possible, y a t il, pouvez vous m'expliquer, pouvez vous me dire, j'aimerais savoir, besoin d'aide
dotaz, otázka, otázku, jak mohu, jak můžu, jak lze, jak se dá, kde najdu, kde mohu, je možné, můžete mi říct
můžete mi poradit
potřebuji poradit, potřebuji pomoc, návod, chtěl bych se zeptat, chtěla bych se zeptat
"""

SUPPORT: Final = """
help, support, assistance, advice, documentation, manual, clarify, clarification, explain, information
hilfe, unterstützung, dokumentation, handbuch, beraten, auskunft
ayuda, soporte, asistencia, documentación, información, aclarar
aide, assistance, documentation, renseignement, renseignements, informations, expliquer
pomoc, pomoci, podpora, podporu, dokumentace, poradit, vysvětlit, informace
"""

NO_TYPE: Final = """
support team, customer support, technical support, it support, support desk, support portal, support ticket
support case, support request, best support, no problem, no problems, kein problem, keine probleme, sin problema
sin problemas, pas de problème, aucun problème, bez problémů, žádný problém, any questions, any question
further questions
bei fragen, weitere fragen, rückfragen, cualquier pregunta, cualquier duda, toute question, jakékoli dotazy
in case of questions
help you, happy to help, thanks for your help, thank you for your help, for your support, thanks for the support
please help, any help, your help, danke für ihre hilfe, danke für die hilfe, gracias por su ayuda, gracias por la ayuda
merci pour votre aide, merci de votre aide, děkuji za pomoc, díky za pomoc, for your information, more information
ist mir aufgefallen, no feature, open question
"""

POLITE: Final = """
can you please, could you please, can you look, could you look, can you fix, could you fix, can you check
could you check
can you take a look, could you take a look, can someone, could someone, can anyone, could anyone, can you have a look
could you have a look, would you please, will you please, can you help, could you help, can you investigate
could you investigate, any ideas, any idea, can you see, please, can we get this fixed, any news, any update
any updates
können sie das, könnt ihr das, können sie bitte, könnten sie bitte, könnt ihr bitte, könnten sie sich, könnt ihr euch
kann sich jemand, kann das jemand, bitte
pueden revisar, podrían revisar, puede revisar, podría revisar, pueden ayudarnos, pueden ayudarme, por favor
pouvez vous vérifier, pourriez vous vérifier, pouvez vous corriger, pouvez vous regarder, s'il vous plaît, merci de
můžete prosím, mohli byste, můžete se na to podívat, můžete to opravit, prosím
"""
"""Questions that ask for work, not for an answer."""

# --- what works again -------------------------------------------------------------------------

FIXED: Final = """
is … fixed, it's … fixed, that's … fixed, was … fixed, are … fixed, were … fixed, been … fixed, has been … fixed
have been … fixed, got … fixed, now fixed
seems … fixed, seems to be fixed, appears … fixed, appears to be fixed, looks fixed, issue … fixed, bug … fixed
problem … fixed, all fixed, fixed now, fixed it, fixed this, fixed that, fixed the issue, fixed the problem
fixed the bug
fixed the error, fixed our, fixed my, fixed for us, fixed for me
is … resolved, it's … resolved, that's … resolved, was … resolved, are … resolved, were … resolved, been … resolved
has been … resolved, have been … resolved, has been … solved, have been … solved
got … resolved, now resolved, seems … resolved, seems to be resolved, appears to be resolved, issue … resolved
problem … resolved, all resolved, resolved now, resolved itself, resolved it, resolved this, resolved the issue
resolved the problem, resolved our, resolved my, is … solved, it's … solved, was … solved, been … solved
got … solved, now solved, issue … solved, problem … solved, solved now, solved itself, solved it, solved this
solved the issue, solved the problem, solved our, solved my, works … again, work … again, working … again
worked … again
works … now, working … now, works fine now, is … back to normal, are … back to normal, back to normal, back online
is … back up, are … back up, back up again, is … up again, up and running again, did the trick, problem is gone
problem … gone, issue … gone, error … gone, no longer happens, no longer occurs, no longer appears, no longer an issue
no longer a problem, doesn't happen anymore, can be closed, can … close … ticket, can close this, can close it
close this ticket, close the ticket, close this issue, close the issue, has recovered, all good now, all clear
ist … behoben, sind … behoben, wurde … behoben, wurden … behoben, ist … gelöst, wurde … gelöst, hat sich … erledigt
ist … erledigt, hat sich … gelöst, funktioniert … wieder, funktionieren … wieder, geht … wieder, gehen … wieder
läuft … wieder, laufen … wieder, klappt … wieder, tut … wieder, ist … wieder da
funktioniert * wieder, funktioniert * * wieder, läuft * * wieder, geht * * wieder, klappt * * wieder
ist … wieder erreichbar
sind … wieder erreichbar, wieder online, behoben, problem … gelöst, fehler … gelöst, fehler … weg, problem … weg
tritt nicht mehr auf, kann geschlossen werden, können … schließen, können … schliessen, jetzt … funktioniert
funktioniert jetzt, funktioniert nun, wieder in ordnung
está … solucionado, está … resuelto, está … arreglado, ha sido … solucionado, ha sido … resuelto, fue … solucionado
quedó … solucionado, quedó … resuelto, se … solucionó, se … resolvió, se … arregló, se ha solucionado, se ha resuelto
se ha arreglado, solucionado, solucionada, resuelto, arreglado, arreglada, ya funciona, ya funcionan, ya … funciona
funciona … de nuevo, funciona … otra vez, vuelve a funcionar, vuelven a funcionar, volvió a funcionar
ya está … solucionado
ya no ocurre, ya no aparece, ya no sucede, pueden cerrar, puede cerrar, puedes cerrar
est … résolu, est … résolue, est … corrigé, est … corrigée, est … réparé, est … réparée, est … réglé, est … réglée
été … résolu, été … résolue, été … corrigé, été … corrigée, été … réparé, été … réglé, problème … résolu, bug … corrigé
résolu, fonctionne … à nouveau, fonctionne … de nouveau, marche … à nouveau, marche … de nouveau, remarche
refonctionne
fonctionne … maintenant, rentré dans l'ordre, ne se produit plus, n'apparaît plus, pouvez … fermer, pouvez … clôturer
je … opraveno, je … opraven, je … opravena, bylo … opraveno, byl … opraven, byla … opravena, je … vyřešeno
je … vyřešen
bylo … vyřešeno, byl … vyřešen, opraveno, vyřešeno, už … funguje, zase … funguje, opět … funguje, znovu … funguje
funguje … znovu, funguje … opět, už … jede, zase … jede, můžete … zavřít, můžete … uzavřít
"""

FIXED_ALONE: Final = """
fixed, resolved, solved, recovery, ok again, behoben, gelöst, erledigt, solucionado, resuelto, résolu, corrigé
opraveno, vyřešeno, recovered
"""
"""Enough where they open a clause and nearly fill it: `Resolved: login`, `Fixed, thanks`."""

LIGHT: Final = """
now, all, the, still, currently, totally, entirely, temporarily, also, already, finally, completely, fully, been
just, indeed, really, very, so, quite, at, for, us, me, here, well
everyone, fine, since, today, yesterday, this, morning, perfectly, normally, correctly, properly, has, have, to, be, in
jetzt, nun, auch, schon, bereits, endlich, komplett, voll, bei, uns, mir, seit, heute, gestern, alles, inzwischen
morgen
mittlerweile, einwandfrei, problemlos, normal, hier, das, dieses, ticket, den, fall, gut, es, früh, ganz
ya, ahora, todo, bien, por, fin, correctamente, perfectamente, nos, me, desde, hoy, ayer, el, este, caso
maintenant, tout, enfin, déjà, chez, nous, correctement, parfaitement, depuis, hier, bien, le, ce, ticket
už, teď, nyní, konečně, vše, nám, mi, od, dnes, včera, správně, normálně, bez, problémů, to, all
"""
"""What `…` stands for: words that change nothing about what is said."""

DOUBT: Final = """
not, never, no, cannot, can't, couldn't, isn't, isnt, wasn't, wasnt, aren't, hasn't, hasnt, haven't, doesn't, didn't
don't, dont, won't
wouldn't, without, nobody, nothing, neither, should, shall, will, would, could, can, may, might, must, need, needs
needed
want, wants, hope, hopes, hoping, hopefully, assume, assumed, assuming, anyone, anybody, someone, somebody, none
expect, expected, expecting, please, when, once, until, till, unless, if, whether
before, to be, get this, get it, get that, have it, have this, let me know, thought, said, claimed, supposed, allegedly
think, ask, asked, wonder, why, how, what, where, who, unfortunately, seemed, trying to, try to, tried to
nicht, nie, kein, keine, ohne, wird, werden, werde, soll, sollte, muss, müssen, müsste, kann, könnte, könnten, bitte
wann
wenn, falls, sobald, bis, bevor, hoffe, hoffen, hoffentlich, ob, dachte, angeblich, leider, warum, wie
no, nunca, sin, debe, debería, puede, pueden, podría, podrían, espero, esperamos, necesita, cuando, cuándo, si
hasta, antes
por favor, favor, será, ojalá, lamentablemente, que se
ne, n, pas, jamais, sans, doit, devrait, peut, pouvez, pourriez, sera, serait, espère, quand, si, jusqu, dès, avant
faut
merci de, malheureusement, pourquoi
ne, není, nebylo, nebyl, nebyla, nikdy, bude, mělo, musí, může, můžete, snad, doufám, prosím, kdy, až, jestli, pokud
dokud
aby, než, bohužel, proč
"""
"""Anywhere before the claim in its clause, they leave it unsaid that something works."""

NO_DOUBT: Final = """
can confirm, could confirm, can now confirm, please note that, please be informed that, please close, please feel free
no longer, no more, no problem, no problems, no issue, no issues, no error, no errors, can be closed, can close
can … close, just wanted to let you know, want to let you know
wanted to let you know, to let you know, let you know, happy to, glad to, will close, if it helps, you can, you may
you could, can report, what you did, whatever you did, what we did, whatever it was, as expected, please mark
nicht mehr, kann bestätigen, können bestätigen, kann geschlossen werden, kann man schließen, bitte schließen
wollte nur bescheid geben, können sie, könnt ihr, kannst du, können schließen
ya no, puedo confirmar, podemos confirmar, pueden cerrar, puede cerrar, puedes cerrar, solo quería avisar
ne se produit plus, n'apparaît plus, je peux confirmer, peux confirmer, pouvez fermer, pouvez clôturer, vous pouvez
mohu potvrdit, můžu potvrdit, můžete zavřít, můžete uzavřít
"""

STILL_BROKEN: Final = """
not fixed, not … fixed, isn't … fixed, not … resolved, not … solved, isn't … resolved, still not, still broken
still happens
still happening, still occurs, still see, still sees, still seeing, still get, still gets, still getting, still have
still having, still fails, still failing, still crashes, still down, still doesn't, still can't, still cannot
still the same
still an issue, still present, again broken, broken again, happens again, happening again, happened again, fails again
failed again, failing again, down again, crashed again, crashes again, same error again, error again, came back
is back again, problem is back, issue is back, error is back, bug is back, reopen, re open, reopened, reappeared
reappears, returned, not working again, stopped working again, only partially, partly fixed, partially fixed
immer noch, noch immer, wieder kaputt, wieder nicht, tritt wieder auf, wieder aufgetreten, weiterhin
sigue sin, sigue fallando, siguen sin, todavía no, aún no, otra vez el error, ha vuelto a ocurrir, vuelve a fallar
toujours pas, toujours le même, encore une fois en panne, de nouveau en panne, est revenu, se reproduit
stále ne*, pořád ne*, opět ne*, zase ne*, znovu ne*, stále stejn*, vrátil se, vrátila se
"""

NO_FIX: Final = """
fixed width, fixed price, fixed prices, fixed size, fixed length, fixed rate, fixed amount, fixed asset, fixed assets
fixed cost, fixed costs, fixed term, fixed date, fixed income, fixed position, fixed header, fixed footer, fixed layout
fixed point, fixed ip, fixed line, fixed fee, fixed number, fixed column, fixed value, fixed time, fixed schedule
fixed set
resolved to, resolved incorrectly, resolved wrongly, fixed to the, works as, works in, works for, works on
works only, works but, works fine in, works with, works when, works if
"""
