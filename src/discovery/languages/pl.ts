/** Polish words of each subject (see words.ts for their form). */
export const words = `
.: i w na do z ze dla po o od za jak co to jaki jaka jakie gdzie kiedy kto ile mój moja moje mi ja nie czy lub przy między ten ta jest są się u
check: sprawdz sprawdź weryfik poprawn ważn walid
convert: konwert zamień zamian przelicz przekształ
create: utwórz stwórz tworz wygener zrób napisz generow
read: odczyt czyta przeczyt skan wczyt
find: znajdź znaleź szuk
search: szuk wyszuk
list: lista listę wykaz ranking
count: policz ile liczba
compare: porówn różnic
delete: usuń usuw skasuj
erase: wymaż usuń_wszystko wyczyść
everything: wszystko wszystkie_moje
update: zaktualiz zmień aktualiz zwiększ
cancel: anuluj zatrzym odwoł
status: status stan_
get: pobierz odczyt pobra
put: zapisz wstaw dodaj włóż przechow zapis
take: weź pobierz zajmij założ
return: zwróć oddaj
again: ponown jeszcze_raz powtór
send: wyślij wysył wysła
extend: przedłuż
release: zwolnij zwoln
several: kilka wiele naraz
split: podziel dziel
extract: wyodrębn wyciągn wydob
describe: opisz opis
classify: klasyfik kategor
sort: sortow posortuj
run: uruchom wykonan
now: teraz aktualn obecn bieżąc
since: od_kiedy nowego wydarzył
near: najbliż blisko pobliż
change: zmień zmian wymień
notify: powiadom
call: wywoł
message: wiadomoś komunikat
words: słowa słowach
text: tekst
document: dokument
file: plik
image: obraz zdjęci fotograf
word: word docx
webpage: stron witryn html
table: tabel
postal: adres_pocztowy pocztow zapisać_adres napisać_adres
format: format zapis_adres
address: adres
news: aktualnoś nowośc wiadomości_o nowego
drought: susz
harvest: zbiory rolnic plon upraw
chat: czat rozmow
model: model sztuczn ai
council: opini rada narada
names: nazw osob organizac miejsc
draw: wygeneruj_obraz narysuj
moderate: moderac nienawi obraźliw
ocr: rozpoznaw rozpoznaj ocr
personal: osobow
research: badani opracow
screenshot: zrzut
sentiment: sentyment nastrój emocj wydźwięk
summarize: streść streszcz podsumow
translate: przetłumacz tłumacz
language: język angielsk
websearch: w_internecie internet w_sieci
question: pytani
aircraft: samolot helikopter śmigłow lotnicz
registration: rejestrac
owner: właściciel należy
airport: lotnisk
code: kod
accident: wypad katastrof
weather: pogod
hazard: turbulenc oblodzen burz zagroż
forecast: prognoz
bank: bank
insured: ubezpiecz
statement: wyciąg
barcode: kod_kreskow kody_kreskow kodu_kreskow qr
batch: za_jednym_razem wsadow
gene: gen genu geny
protein: białk
species: gatun nazwa_naukowa łacińsk
unemployment: bezroboc
inflation: inflac płace
book: książ powieś
author: autor pisarz
brazil: brazyl
company: firm spółk przedsiębior
match: dopasow
connecticut: connecticut
officers: zarząd dyrektor
sanctions: sankc
finland: fińsk finland
france: francus francj
ticker: ticker
identifier: identyfikator isbn
diligence: wiarygodn dossier kontrahent
lei: lei podmiot_prawn
subsidiary: spółka_zależn zależn matk dominując
isin: isin
securities: papier_wartościow papiery obligac
industry: branż
norway: norwes norweg
poland: krs polsk
usa: usa amerykań stanach_zjedn
registry: rejestr
britain: brytyj anglii angielsk
workday: dni_robocz dzień_robocz roboczych
date: dat dni
earnings: wyniki_kwartaln wyniki_finans zysk
holiday: święt dni_woln wolne_od_pracy świąt
event: kalendarz wydarzen
ipo: debiut ipo
population: ludnoś mieszkań populac
income: dochod
zip: kod_pocztow
compound: cząsteczk chemiczn związek substancj
formula: wzór wzor masa_molow
traditional: tradycyjn uproszczon
chinese: chińsk
detect: wykryj rozpozn
pinyin: pinyin wymow
history: histori przeszł zeszł archiw
rain: opad deszcz śnieg
station: stacj
trial: badania_kliniczn kliniczn
details: szczegół
disease: chorob rak raka cukrzyc
repository: repozytor github
exchange: kurs walut wymian
dollar: dolar euro złot
unit: jednost kilometr kilogram funt mile stopni litr
countdown: odlicz minutnik
email: e_mail email mail poczt
country: kraj państw
risk: ryzyk
rating: rating
capital: stolic
calling: kierunkow
transaction: transakc
wallet: portfel
scam: oszust scam niebezpiecz bezpiecz
bitcoin: bitcoin btc
ethereum: ethereum eth
crypto: krypto
balance: saldo sald
token: token
fee: opłat prowizj
mempool: mempool
waiting: oczekuj niepotwierdz
utxo: utxo niewydan
candle: świec
price: cen kosztuje
market: rynek rynk giełd
tvl: tvl zablokowan
blockchain: blockchain sieci łańcuch
coin: monet
contract: inteligentn_kontrakt kontrakt
calldata: calldata dane_wejściow
decode: zdekoduj dekod odszyfr
defi: defi
revenue: przychod
yield: rentown zysk_z stopy_zwrot
pool: pul płynnoś
dex: dex zdecentraliz
trending: popularn trend
ens: ens
fear: strach chciwoś
gas: gaz gas
capitalization: kapitalizac dominac
kimchi: kimchi
korea: kore
funding: finansowan funding
perpetual: wieczyst bezterminow perpetual
predict: przewidyw następn
cron: cron
jwt: jwt
signature: podpis
license: licencj
regex: wyrażenie_regularn regularn regex
version: wersj
markdown: markdown
domain: domen
security: bezpiecz zabezpiecz
edifact: edifact
edi: edi
spf: spf
loan: kredyt pożycz hipote rat raty
interest: odset oprocent
irr: wewnętrzna_stopa irr
investment: inwestyc
option: opcj
coordinates: współrzęd szerokoś
distance: odległoś daleko
area: powierzchn
invoice: faktur
json: json
path: ścieżk
repair: napraw uszkodz zepsut
schema: schemat
lock: blokad zamek zablok blokuj
payment: płatnoś przelew
pdf: pdf
phone: telefon
label: etykiet
product: produkt towar
topic: temat kanał
delivery: dostarcz dostaw
publish: opublik publik
subscribe: subskryb zasubskryb
unsubscribe: anuluj_subskryp wypisz odsubskryb
acknowledge: potwierdź potwierdz
queue: kolejk
dead: nieudan niedostarcz martw
failed: nieudan błęd
schedule: harmonogram zaplanuj co_godzin
vulnerability: podatnoś luk
severity: dotkliwoś krytycznoś powag
stored: zapisan przechowyw moje
condition: warun filtr
key: klucz
value: wartoś
counter: licznik
usage: zużyci miejsca_zajm wykorzyst
export: eksport wyeksport
vector: wektor
similar: podob
redact: ukryj zanonim zamaskuj
timezone: stref
time: godzin czas
feed: kanał_rss rss
robots: robots robot
iban: iban numer_konta konta_bank
taxid: nip vat podatk
watch: obserwuj monitor śledź
webhook: webhook
secret: sekret
`;
