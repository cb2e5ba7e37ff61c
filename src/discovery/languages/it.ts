/** Italian words of each subject (see words.ts for their form). */
export const words = `
.: il lo la i gli le un una uno del della dei delle dello di da in con su per tra fra che quale quali quando dove come chi sono è questo questa c mio mia miei mie suo si non mi voglio e o al alla nel nella se quanto quanti quante a d l dall numero dal ai
check: verific valid controll corrett giust
convert: convert trasform passare_da
create: crea genera scriv fare_un
read: legg lettura scansion
find: trov cerca individu
search: cerca ricerc
list: elenc lista classifica
count: cont numero_di quanti
compare: confront differenz paragon
delete: cancell elimin rimuov
erase: cancellare_tutto eliminare_tutto
everything: tutto tutti_i_miei completo
update: aggiorn modific increment
cancel: annull ferm disdi
status: stato situazione
get: ottenere recuper scaric leggere
put: salv memorizz mettere inserire caric conserv aggiung
take: prendere prelev acquisi
return: restitu rimett
again: di_nuovo reinvi rimand ancora
send: invi mand sped
extend: prolung estend
release: rilasci liber
several: più_di molti diversi diverse vari insieme
split: divid suddivid spezz
extract: estra
describe: descriv descrizione
classify: classific categor
sort: ordin
run: esecuz esegu prossima_esecuzione
now: adesso ora_attuale attual in_questo_momento
since: successo novità
near: vicin
change: cambi modific rinnov
notify: avvis notific
call: chiam
message: messagg
words: parole testo_intero
text: testo testi
document: document
file: file
image: immagin foto
word: word docx powerpoint
webpage: pagina_web sito_web sito pagina
table: tabell
postal: indirizzo_postale postale
format: formato scrivere_un_indirizzo
address: indirizz
news: notizi novità successo
drought: siccità
harvest: raccolt agricol coltiv mais grano
chat: chat convers dialog
model: modell ia intelligenza_artificiale
council: opinion dibatt consiglio pareri
names: nomi persone organizzazion luoghi entità
draw: generare_immagin disegn creare_un_immagine
moderate: moder odio offensiv insult
ocr: riconoscimento_del_testo riconoscimento_ottico ocr scansionat
personal: personal dati_personali
research: ricerca_su rapporto sintesi
screenshot: screenshot schermata
sentiment: sentiment tono umore
summarize: riassu riassunto sintetizz
translate: tradu
language: lingua inglese
websearch: su_internet sul_web ricerca_web
question: domanda
aircraft: aereo aerei elicotter velivol aeromobil
registration: immatricol marche
owner: proprietari appartiene
airport: aeroport
code: codice
accident: incident
weather: meteo tempo_fa tempo_all
hazard: turbolenz ghiaccio tempest pericol ceneri
forecast: prevision
bank: banca banche
insured: assicurat
statement: estratto_conto estratti_conto
barcode: codice_a_barre codici_a_barre qr
batch: in_una_volta una_sola_volta lotto
gene: gene geni
protein: protein
species: specie nome_scientifico
unemployment: disoccupazion
inflation: inflazion salari
book: libr romanz
author: autor scrittor
brazil: brasil
company: aziend società impres ditta fornitor
match: corrispond identific
connecticut: connecticut
officers: amministrator dirigent
sanctions: sanzion
finland: finland
france: franc
ticker: simbolo_di_borsa ticker
identifier: identificativ isbn
diligence: diligence dossier affidabilità
lei: lei entità_giuridic soggetto_giuridico
subsidiary: controllat filial capogruppo
isin: isin
securities: titoli obbligazion
industry: settor industri ateco
norway: norveg
poland: polacc poloni
usa: stati_uniti usa american
registry: registro
britain: britannic regno_unito inghilterra
workday: giorni_lavorativ giorno_lavorativ lavorativ
date: data date giorni
earnings: trimestral utili risultati_finanziari risultati
holiday: festiv vacanz feste
event: calendario evento eventi ics
ipo: quotazione_in_borsa ipo quotazioni_in_borsa
population: popolazion abitant censiment
income: reddit
zip: codice_postale cap
compound: molecol compost chimic sostanz
formula: formula massa_molare
traditional: tradizional semplificat
chinese: cines
detect: rilev riconosc
pinyin: pinyin pronunci
history: storic storia passat andamento scorso
rain: pioggia precipitazion neve
station: stazion
trial: studio_clinico studi_clinici sperimentazion clinic
details: dettagli criteri
disease: malatti cancro tumor diabete
repository: repository github codice_sorgente
exchange: tasso_di_cambio cambio valut
dollar: dollar euro sterlin yen
unit: unità chilometr chilogramm gradi litri miglia celsius
countdown: conto_alla_rovescia countdown
email: email e_mail posta_elettronica
country: paese paesi nazione
risk: rischi
rating: rating merito_creditizio
capital: capitale
calling: prefisso
transaction: transazion
wallet: portafogli wallet
scam: truff frode pericolos phishing sicur
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: cripto criptovalut crypto
balance: saldo
token: token
fee: commission tariff
mempool: mempool
waiting: attesa non_confermat
utxo: utxo non_spes
candle: candel
price: prezz quotazione valore_di
market: mercat borsa
tvl: tvl valore_bloccato
blockchain: blockchain catena rete
coin: moneta coin
contract: contratto_intelligente smart_contract contratt
calldata: calldata dati_di_input
decode: decodific decifr
defi: defi finanza_decentralizzata
revenue: ricav entrate
yield: rendiment
pool: pool liquidità
dex: dex decentralizzat
trending: tendenz popolar
ens: ens
fear: paura avidità
gas: gas
capitalization: capitalizzazion dominanz
kimchi: kimchi
korea: corea
funding: finanziament funding
perpetual: perpetu
predict: previst prossim
cron: cron crontab
jwt: jwt token_di_accesso
signature: firma
license: licenz
regex: espressione_regolare espressioni_regolari regex
version: version
markdown: markdown
domain: dominio domini
security: sicurezz
edifact: edifact
edi: edi x12
spf: spf
loan: prestit mutuo rata rate ammortament
interest: interess
irr: tasso_interno_di_rendimento tir van irr
investment: investiment
option: opzion
coordinates: coordinat latitudin
distance: distanz lontan
area: area superfici
invoice: fattur
json: json
path: percors jsonpath
repair: ripar rott danneggiat aggiust
schema: schema
lock: blocc lucchett lock
payment: pagament bonific
pdf: pdf
phone: telefon cellular
label: etichett gs1
product: prodott gtin
topic: argoment topic canale
delivery: consegn recapit
publish: pubblic
subscribe: iscri abbon sottoscri
unsubscribe: disiscri annullare_l_iscrizione cancellare_l_iscrizione disdire
acknowledge: conferm
queue: coda code
dead: fallit mort scartat
failed: fallit
schedule: programm pianific ogni_ora
vulnerability: vulnerabilità cvss falla
severity: gravità
stored: salvat memorizzat miei mio
condition: condizion filtr
key: chiave
value: valore
counter: contator increment
usage: spazio occup utilizz
export: esport
vector: vettor embedding
similar: simil somigli
redact: oscur anonimizz nascond
timezone: fuso
time: ora ore orario
feed: feed rss
robots: robots crawler
iban: iban conto_bancario conto_corrente
taxid: partita_iva codice_fiscale iva
watch: sorvegl monitor
webhook: webhook
secret: segreto
`;
