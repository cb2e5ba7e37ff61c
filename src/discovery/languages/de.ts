/** German words of each subject (see words.ts for their form). */
export const words = `
.: der die das den dem des ein eine einen einem einer eines ist sind im am auf aus bei bis für mit nach von vom zu zum zur und oder wie was wo wann wer welche welcher welches viel viele ich mir man kann gibt es alle über mein meine meiner diese dieser dieses wird hat nicht mich bitte in an finde zeige wurde ob unter zwei
check: prüf überprüf validier gültig kontrollier korrekt richtig stimmt
convert: umrechn umwandel umwandl konvertier wandle in_markdown
create: erstell erzeug generier anlegen schreib mach
read: lesen einlesen auslesen lies scannen parsen
find: finde finden suche
search: such suchen durchsuch recherch
list: liste auflist alle_meine anzeigen übersicht rangliste
count: zähl anzahl wie_viele
compare: vergleich unterschied differenz abgleich
delete: lösch entfern beseitig
erase: alles_lösch vollständig_lösch ausradier
everything: alles komplett sämtlich
update: aktualisier ändern änder bearbeit erhöh
cancel: abbrech storn kündig beend abbestell stopp
status: status zustand stand_der läuft
get: abruf hol laden herunterlad auslesen
put: speicher ablegen hochlad hinterleg einstell einreih sichern
take: nehmen nimm holen entnehm abholen erwerb
return: zurückgeb zurückleg zurückstell
again: erneut nochmal noch_einmal wieder wiederhol
send: send schick verschick versend
extend: verlänger länger ausdehn
release: freigeb loslass freigab aufheb
several: mehrere viele_auf_einmal mehrerer hundert liste_von
split: zerleg aufteil zerteil teile abschnitte
extract: extrahier auslesen herauszieh ausles gewinn entnehm
describe: beschreib alt_text
classify: klassifizier einordn kategoris sortier
sort: sortier reihenfolge
run: ausführ läuft nächste_ausführung
now: aktuell jetzt momentan gerade derzeit
since: seit neues passiert
near: nächst nahe nähe umgebung nächstgeleg ähnlichst
change: änder wechsel erneuer
notify: benachrichtig melde bescheid informier
call: aufruf anruf aufrufen
message: nachricht
words: wörter stichwort volltext
text: text texte
document: dokument schriftstück
file: datei ablage
image: bild foto grafik
word: word_datei word_dokument docx powerpoint
webpage: webseite website internetseite homepage url seite
table: tabelle
postal: postanschrift anschrift postadresse adressformat postalisch adresse_schreib schreibt_man_eine_adresse
format: format schreibweise
address: adresse
news: neuigkeit nachrichten neues passiert
drought: dürre trockenheit
harvest: ernte landwirtschaft getreide anbau mais weizen
chat: chat gespräch fragen
model: sprachmodell ki künstliche_intelligenz modell
council: meinungen gremium beraten rat_mehrer debatt
names: personen namen orte organisation
draw: generier zeichn erzeug malen
moderate: moderier hass beleidig hetze anstößig belästig
ocr: texterkennung ocr schrifterkennung foto_auslesen abgetippt
personal: personenbezogen persönliche_daten datenschutz
research: recherch kurzbericht briefing dossier_zu
screenshot: bildschirmfoto screenshot bildschirmaufnahme
sentiment: stimmung gefühl tonfall positiv
summarize: zusammenfass fasse kurzfassung
translate: übersetz
language: sprache englisch französisch spanisch
websearch: websuche internet im_netz aktuelle_antwort
question: frage
aircraft: flugzeug hubschrauber maschine luftfahrzeug
registration: kennzeichen registrier zulassung
owner: besitzer eigentümer halter gehört inhaber
airport: flughafen flugplatz
code: code kürzel schlüssel
accident: unfall unfälle absturz unglück abstürz
weather: wetter
hazard: turbulenz vereisung gewitter vulkanasche gefahr
forecast: vorhersage prognose
bank: bank banken kreditinstitut
insured: einlagensicherung versichert
statement: kontoauszug kontoauszüge auszug
barcode: strichcode barcode qr_code balkencode qr
batch: auf_einmal bündel sammelaufruf stapel
gene: gen gene erbgut
protein: protein eiweiß
species: tierart pflanzenart art_von wissenschaftlicher_name spezies lateinischer_name
unemployment: arbeitslos
inflation: inflation verbraucherpreis teuerung löhne
book: buch bücher roman
author: autor schriftsteller verfasser
brazil: brasil
company: firma unternehmen gesellschaft betrieb lieferant handelsregister firmen
match: zuordn gemeint treffer
connecticut: connecticut
officers: geschäftsführer vorstand direktor gesellschafter
sanctions: sanktion embargo
finland: finnisch finnland finnische
france: französisch frankreich
ticker: ticker börsenkürzel
identifier: kennung kennnummer isbn nummern
diligence: sorgfalt hintergrundprüfung geschäftspartner dossier
lei: lei rechtsträger
subsidiary: tochter mutterkonzern konzern muttergesellschaft
isin: isin wertpapierkennnummer
securities: wertpapier anleihe
industry: branche industrie wirtschaftszweig
norway: norweg
poland: poln polen
usa: usa amerikan us vereinigte_staaten new_york
registry: register
britain: britisch großbritannien england englisch
workday: werktag arbeitstag bankarbeitstag geschäftstag
date: datum tage termin
earnings: quartalszahl geschäftszahl gewinnbericht
holiday: feiertag ferien
event: kalender termine ics serientermin
ipo: börsengang neuemission börsengänge an_die_börse
population: einwohner bevölkerung volkszählung
income: einkommen verdienst
zip: postleitzahl plz
compound: molekül chemisch verbindung substanz stoff
formula: formel summenformel molmasse
traditional: traditionell vereinfacht langzeichen kurzzeichen
chinese: chinesisch
detect: erkenn feststell
pinyin: pinyin aussprache ausspricht
history: verlauf historisch vergangen letzt früher kursverlauf entwicklung
rain: regen niederschlag schnee
station: wetterstation messstation
trial: klinische_studie studie klinisch
details: einzelheit details teilnahmebeding
disease: krankheit krebs diabetes
repository: repository github quellcode repo
exchange: wechselkurs währung umrechnungskurs devisen kurs euro_in
dollar: dollar euro franken pfund yen
unit: einheit kilogramm kilometer meilen celsius fahrenheit liter grad
countdown: countdown zähler herunterzähl
email: e_mail email mail
country: land länder staat
risk: risiko länderrisiko risikoprämie
rating: bonität rating kreditwürdig
capital: hauptstadt
calling: vorwahl landesvorwahl
transaction: transaktion überweisung
wallet: wallet geldbörse
scam: betrug betrüg phishing sicher unsicher gefährlich
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: krypto kryptowährung
balance: guthaben kontostand saldo bestand
token: token
fee: gebühr kosten
mempool: mempool
waiting: warten wartend unbestätigt
utxo: utxo unverbraucht nicht_ausgegeben
candle: kerze candlestick kursbalken
price: preis kurs wert
market: markt börse handelsplatz
tvl: tvl gebundenes_kapital eingesperrt
blockchain: blockchain netzwerk kette
coin: coin münze
contract: smart_contract vertrag
calldata: calldata eingabedaten
decode: dekodier entschlüssel decodier
defi: defi
revenue: einnahmen umsatz
yield: rendite ertrag zinsen_auf
pool: pool liquidität
dex: dex dezentral
trending: angesagt trend beliebt
ens: ens
fear: angst gier
gas: gas gaspreis gasgebühr
capitalization: marktkapitalisierung gesamtmarkt dominanz
kimchi: kimchi
korea: korea
funding: funding finanzierungsrate
perpetual: perpetual unbefristet_future futures
predict: voraussichtlich nächst vorhergesagt
cron: cron crontab
jwt: jwt json_web_token zugriffstoken
signature: signatur unterschrift
license: lizenz
regex: regulärer_ausdruck regulär regex
version: version versionsnummer
markdown: markdown
domain: domain domäne
security: sicher sicherheit
edifact: edifact
edi: edi x12
spf: spf
loan: kredit darlehen hypothek tilgung rate raten
interest: zins
irr: interner_zinsfuß rendite irr kapitalwert
investment: investition anlage
option: optionsschein option optionspreis
coordinates: koordinat längengrad breitengrad
distance: entfernung abstand distanz wie_weit luftlinie
area: fläche
invoice: rechnung e_rechnung xrechnung zugferd
json: json
path: pfad jsonpath
repair: reparier kaputt defekt beschädigt
schema: schema
lock: sperre sperren lock
payment: zahlung überweisung girocode bezahl
pdf: pdf
phone: telefon handynummer rufnummer
label: etikett gs1
product: produkt artikel gtin
topic: thema topic kanal
delivery: zustellung ausliefer zugestellt
publish: veröffentlich publizier
subscribe: abonnier abonnement
unsubscribe: abbestell abmeld kündig
acknowledge: bestätig quittier erledigt
queue: warteschlange queue
dead: unzustellbar gescheitert fehlgeschlagen aussortiert
failed: fehlgeschlagen gescheitert
schedule: zeitplan planen geplant jede_stunde regelmäßig
vulnerability: schwachstelle sicherheitslücke cvss
severity: schweregrad schwere
stored: gespeichert abgelegt meine mein aufbewahrt
condition: bedingung filter abfrag
key: schlüssel key
value: wert
counter: zähler hochzähl
usage: speicherplatz verbrauch belegt
export: exportier ausfuhr mitnehm
vector: vektor embedding
similar: ähnlich ähnlichkeit
redact: schwärz anonymisier unkenntlich maskier
timezone: zeitzone zeitverschiebung
time: uhrzeit zeit spät_ist_es
feed: feed rss newsfeed
robots: robots crawler crawlen
iban: iban kontonummer
taxid: umsatzsteuer ust_id steuernummer steuer_id mehrwertsteuer ustid
watch: überwach beobacht alarm
webhook: webhook rückruf
secret: geheimnis signaturschlüssel geheim
`;
