/** Dutch words of each subject (see words.ts for their form). */
export const words = `
.: de het een van in op met voor naar uit en of hoe wat waar wanneer wie welke hoeveel ik mij me mijn is zijn dit deze die dat niet bij om te alle over tussen er wil kan aan tot
check: controleer valid geldig klopt verifi check juist
convert: omreken omzet omzetten converteer zet_om naar_markdown omrekenen
create: maak maken genereer aanmaken genereren schrijf
read: lezen lees inlezen uitlezen scan
find: vind zoek
search: zoek
list: lijst overzicht toon_alle ranglijst
count: tel tellen aantal
compare: vergelijk verschil
delete: verwijder wis
erase: alles_wissen alles_verwijder
everything: alles alle_gegevens
update: bijwerk wijzig verhoog
cancel: annuleer stop annuler opzeg
status: status toestand
get: ophalen haal download lees
put: opslaan bewaar sla_op zet plaats toevoeg
take: pak neem nemen haal krijgen
return: teruggeven terugleg geef_terug
again: opnieuw nogmaals
send: stuur verstuur zend verzend
extend: verleng
release: vrijgeven loslaten geef_vrij vrij
several: meerdere veel tegelijk
split: splits opdel verdeel knip
extract: haal extraheer uit_een
describe: beschrijf beschrijv
classify: classific categor indeel
sort: sorteer
run: uitvoer draait volgende_keer
now: nu actueel huidig
since: sinds nieuw gebeurd
near: dichtstbij dichtbij nabij
change: verander wijzig vernieuw
notify: melding waarschuw bericht_als verwittig
call: aanroep roep
message: bericht
words: woorden
text: tekst
document: document
file: bestand
image: afbeelding foto plaatje beeld
word: word docx powerpoint
webpage: webpagina website pagina site
table: tabel
postal: postadres post adres_schrijf adres_schrijven
format: format opmaak schrijfwijze
address: adres
news: nieuws
drought: droogte
harvest: oogst landbouw graan
chat: chat gesprek
model: taalmodel ai model kunstmatige
council: mening raad debat
names: namen personen organisatie
draw: teken afbeelding_genereren genereer_een_afbeelding
moderate: modereer haat beledig
ocr: tekstherken ocr
personal: persoonsgegeven persoonlijk
research: onderzoek
screenshot: schermafbeelding screenshot
sentiment: sentiment stemming gevoel
summarize: samenvat vat_samen
translate: vertaal vertal
language: taal engels
websearch: op_internet op_het_web internet
question: vraag
aircraft: vliegtuig helikopter toestel
registration: registratie kenteken
owner: eigenaar bezit
airport: luchthaven vliegveld
code: code
accident: ongeluk ongeval crash
weather: weer
hazard: turbulentie ijsvorming onweer gevaar
forecast: verwacht voorspel weerbericht
bank: bank
insured: verzekerd depositogarantie
statement: bankafschrift rekeningafschrift afschrift
barcode: barcode streepjescode qr
batch: in_een_keer in_één_keer tegelijk
gene: gen gene genen
protein: eiwit
species: diersoort plantensoort wetenschappelijke_naam soort
unemployment: werkloos
inflation: inflatie lonen
book: boek roman
author: schrijver auteur
brazil: brazil
company: bedrijf bedrijven onderneming firma
match: overeenkom
connecticut: connecticut
officers: bestuurder directeur
sanctions: sanctie
finland: fins finland
france: frans frankrijk
ticker: ticker beurscode
identifier: identificat isbn
diligence: onderzoek_bedrijf dossier doorlichting
lei: lei rechtspersoon
subsidiary: dochter moeder
isin: isin
securities: effecten obligatie
industry: branche bedrijfstak sector
norway: noorwe noors noorse
poland: pool polen poolse
usa: amerik verenigde_staten vs
registry: register
britain: brits britse engeland verenigd_koninkrijk
workday: werkdag
date: datum dagen data
earnings: kwartaalcijfers winst
holiday: feestdag vakantie vrije_dagen
event: kalender agenda afspra
ipo: beursgang naar_de_beurs
population: bevolking inwoner
income: inkomen
zip: postcode
compound: molecu chemisch verbinding stof
formula: formule molmassa
traditional: traditione vereenvoudig
chinese: chines
detect: herken detect
pinyin: pinyin uitspraak
history: geschiedenis histor vorig verloop verleden
rain: regen neerslag sneeuw
station: weerstation station
trial: klinisch klinische_stud
details: detail bijzonder
disease: ziekte kanker diabetes
repository: repository github broncode
exchange: wisselkoers valuta koers euro_in
dollar: dollar euro pond
unit: eenheid eenheden kilometer kilogram mijl graden liter
countdown: aftel countdown
email: e_mail email mail
country: land
risk: risico
rating: kredietwaardig rating
capital: hoofdstad
calling: landnummer kengetal landcode
transaction: transactie
wallet: wallet portemonnee
scam: oplicht fraude veilig
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: crypto
balance: saldo tegoed
token: token
fee: kosten vergoeding tarief
mempool: mempool
waiting: wacht onbevestigd
utxo: utxo onbestede
candle: candle kaars
price: prijs koers_van waarde
market: markt beurs
tvl: tvl vastgezet
blockchain: blockchain keten netwerk
coin: munt
contract: slim_contract smart_contract contract
calldata: calldata invoergegeven
decode: decodeer ontcijfer
defi: defi
revenue: inkomsten omzet_van
yield: rendement opbrengst
pool: pool liquiditeit
dex: dex gedecentralis
trending: trend populair
ens: ens
fear: angst hebzucht
gas: gas
capitalization: marktkapitalis marktwaarde
kimchi: kimchi
korea: korea
funding: funding financiering
perpetual: perpetual eeuwigdur
predict: voorspeld volgende
cron: cron crontab
jwt: jwt toegangstoken
signature: handteken
license: licentie
regex: reguliere_expressie regulier regex
version: versie
markdown: markdown
domain: domein
security: beveilig veiligheid
edifact: edifact
edi: edi x12
spf: spf
loan: lening hypotheek aflos krediet
interest: rente
irr: interne_rent irr
investment: investering belegging
option: optie
coordinates: coordinat coördina breedtegraad
distance: afstand ver
area: oppervlak
invoice: factuur facturen
json: json
path: pad jsonpath
repair: herstel repareer kapot
schema: schema
lock: vergrendel slot lock
payment: betaling betaal overschrijving
pdf: pdf
phone: telefoon mobiel
label: etiket label
product: product artikel
topic: onderwerp topic
delivery: bezorg aflever levering
publish: publice
subscribe: abonneer abonnement abonneren
unsubscribe: afmeld opzeg uitschrijv
acknowledge: bevestig
queue: wachtrij rij
dead: mislukt onbestelbaar
failed: mislukt
schedule: plan inplan schema_voor elk_uur
vulnerability: kwetsbaarheid lek
severity: ernst
stored: bewaard opgeslagen mijn
condition: voorwaarde filter
key: sleutel
value: waarde
counter: teller
usage: gebruik opslagruimte
export: export
vector: vector
similar: vergelijkbaar lijken lijkt overeenkomst
redact: anonimis zwartlak maskeer onleesbaar
timezone: tijdzone
time: tijd laat
feed: feed rss
robots: robots crawler
iban: iban rekeningnummer
taxid: btw belasting
watch: bewaak volg
webhook: webhook
secret: geheim
`;
