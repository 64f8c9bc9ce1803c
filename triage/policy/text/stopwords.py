"""Stop words: words that do not tell one matter from another."""

from typing import Final

from triage.policy.text.words import plain

STOP: Final = """
a about above after again against ago all almost along already also although always am among an and another any anybody
anyone anything are aren't around as ask asked at away back be became because become been before behind being below
between both but by came can can't cannot come comes coming could couldn't did didn't do does doesn't doing don't done
down due during each either else etc even ever every everybody everyone everything except far few find first for from
further gave get gets getting give given go goes going gone good got great had happen happened happening happens hardly
has hasn't have haven't having he hello hence her here hers hey hi him his how however i i'd i'll i'm i've if in indeed
instead into is isn't it it's its itself just keep kept kind know known last later least less let let's like likely
little long look looked looking looks made make makes making many may maybe me might mine more most much must my myself
near need needed needs neither never nevertheless new next no nobody none nor not nothing now of off often ok okay old
on once one only onto or other others otherwise our ours out over own per perhaps please possible probably put quite
rather re really recently said same saw say says see seem seems seen several shall she should shouldn't show since so
some somebody somehow someone something sometimes soon still such sure take taken takes taking tell than thank thanks
that that's the their theirs them then there there's therefore these they they're thing things think this those though
thought through thus till to today together told tomorrow too took toward tried tries try trying under unless until up
upon us use used uses using usually very via want wanted wants was wasn't way we we'd we'll we're we've well went were
weren't what what's whatever when where whether which while who whole whom whose why will with within without won't
would wouldn't yes yesterday yet you you'd you'll you're you've your yours yourself dear regards kind best sincerely
cheers greetings team folks morning afternoon evening monday tuesday wednesday thursday friday saturday sunday january
february march april june july august september october november december fwd fw attached attachment see below above
help question hope week weeks day days hour hours minute minutes month months year years time times two three four five
since anymore currently able unable seems getting works working work worked didnt doesnt dont cant wont isnt im ive
colleague colleagues somebody noticed notice actually basically simply exactly right left fine well regarding concerning
ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer auch auf aus bei beim bereits
besten bin bis bist bitte da dabei dafür daher damit danach dann daran darauf das dass dazu dein deine dem den denn der
des deshalb die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige
einmal er es etwas euch euer eure für ganz gar gegen gerade gern gibt grüße grüßen gruß guten gut habe haben hallo hat
hatte hätte heute hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer immer in ins ist ja jede jedem jeden jeder
jedes jetzt kann kannst kein keine keinen können könnte könnten liebe lieber machen man manche mehr mein meine meinem
meinen meiner mich mir mit morgen muss müssen nach neu neue neuen nicht nichts noch nun nur ob oder ohne schon sehr sein
seine seit sich sie siehe sind so sobald soll sollte sondern sonst tag tage über um und uns unser unsere unserem unseren
unter vielen viel vom von vor wann war waren warum was weil weiter welche wenn wer werde werden wie wieder will wir wird
wo wurde wurden würde würden zu zum zur zwar zwischen freundlichen herr frau damen herren geehrte geehrter danke dank
funktioniert funktionieren gestern seit woche
a al algo algún alguna algunas alguno algunos ante antes aquí así aún aunque bien buenas bueno buenos cada casi como con
contra cual cuando de del desde días donde dos el él ella ellas ellos en entonces entre era es esa ese eso esta está
estaba estado están estar estas este esto estos estoy fue gracias ha hace hacer han hasta hay hola hoy la las le les lo
los más me mi mientras mis mismo mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otro otros para pero
poco por porque pueda puede pueden puedo que qué quien saludo saludos se sea ser si sí sido sin sobre solo son soy su sus
también tan tanto tarde te tengo tiene tienen todo todos tras tu tus un una uno unos usted ustedes y ya yo ayer mañana
estimado estimada estimados favor podemos podría funciona semana
ai alors après assez au aucun aussi autre autres aux avant avec avez avoir avons bien bonjour car ce cela celle celui ces
cet cette chaque chez ci comme comment dans de depuis des deux dire dois donc dont du elle elles en encore est et étaient
était être eu faire fait faut hier ici il ils j'ai je jour la là laquelle le les leur leurs lors lorsque lui ma mais me
même merci mes moi moins mon ne nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi
pouvez quand que quel quelle qui quoi sa sans se sera ses si son sont sous suis sur ta te tes toi ton tous tout toute
toutes très trop tu un une vers vos votre vous y ça cordialement salutations madame monsieur fonctionne semaine demain
a aby ahoj ale ani ano asi až bez bude budou by byl byla byli bylo být co což či další do dobrý den děkuji díky děkuju ho
i jak jako je jeho jej její jejich jen ještě jestli ji jí jsem jsi jsme jsou jste už k kde kdy když který která které
kteří ke mám má máme máte mě mi mít může můžete můj na nám nás naše náš ne nebo než nic není o od on ona oni pak po pod
podle pokud pouze pro proč prosím před přes při s se si sice ste svůj ta tak také tam te tedy ten tento teď tím to toho
tom tomu tu tuto ty u v vám vás váš ve více však všechno všechny vždy z za zde ze že zdravím pozdravem dnes včera zítra
"""

COMMON: Final = """
access account add address admin allow alert app appear application area available bar behave behavior behaviour box
browser bug build button call case cause change check choose choice class clear click client close code column component
computer config configuration console content control copy correct correctly count crash create current custom customer
data date default delete describe description detail device dialog different direct disable display document edit empty
enable end enter entry environment error event example exception expect expected fail failed failing fails failure
feature field file fill fix folder form format function general group handle hide image implement import improve info
information input install internal invalid issue item key large launch layout level line link list load local log login
main manager menu message method missing mobile mode module move multiple name network normal number object open option
order output page panel parameter part pass password path phone place platform point popup position press previous
problem process product production project prompt property provide receive record reference refresh release reload
remove repeat replace reply report request require reset response restart result return row run sample save screen
search section select selected send sender sent server service session set setting setup share size sort source space
special start state status step steps stop store string style submit support switch system tab table tap task test text
ticket title tool trouble top total touch type update upload url user username value version view visible wait warning web
website width window wrong actual incorrect occur reproduce slow broken simple single specific support
fehler problem seite benutzer meldung datei fenster knopf liste neue konto programm kunde kunden system zeigt anzeigen
öffnen speichern klicken rechner passwort anmelden anmeldung
error problema página usuario mensaje archivo ventana botón lista cuenta programa cliente clientes sistema muestra abrir
guardar contraseña sesión
erreur problème page utilisateur message fichier fenêtre bouton liste compte programme client clients système affiche
ouvrir enregistrer passe
chyba problém stránka uživatel zpráva soubor okno tlačítko seznam účet program zákazník systém zobrazuje otevřít uložit
heslo přihlášení
"""
"""Words that tickets of all kinds share: they count, but little."""


def _folded(written: str) -> frozenset[str]:
    return frozenset(plain(word) for word in written.split())


STOP_WORDS: Final = _folded(STOP)
COMMON_WORDS: Final = _folded(COMMON)
