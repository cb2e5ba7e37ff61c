/** Turkish words of each subject (see words.ts for their form). */
export const words = `
.: ve bir bu şu ne nasıl nerede kim kaç mi mı mu mü için ile olan var benim bana hangi o da de ya veya arasındaki arası
check: kontrol doğrula geçerli doğru
convert: dönüştür çevir çevirme dönüşt
create: oluştur üret yap yaz
read: oku
find: bul
search: ara arama
list: liste listele sırala
count: say sayısı kaç_tane
compare: karşılaştır fark
delete: sil kaldır
erase: tamamen_sil hepsini_sil
everything: her_şey hepsi tüm
update: güncelle değiştir artır
cancel: iptal durdur
status: durum
get: getir al indir oku
put: kaydet sakla ekle koy
take: al alma edin
return: geri_ver iade geri_koy
again: tekrar yeniden
send: gönder yolla
extend: uzat
release: serbest bırak
several: birden birkaç çok toplu
split: böl parçala ayır
extract: çıkar ayıkla çek
describe: betimle tanımla açıkla
classify: sınıfla kategori
sort: sırala
run: çalış
now: şu_an şimdi güncel
since: beri yeni
near: yakın
change: değiş yenile
notify: bildir haber
call: çağır arama
message: mesaj ileti
words: kelime
text: metin metni metn
document: belge doküman
file: dosya
image: resim resmi görüntü görsel fotoğraf
word: word docx
webpage: web_sayfa sayfa site
table: tablo
postal: posta mektup adres_biçim
format: biçim format
address: adres
news: haber gelişme
drought: kurak
harvest: hasat tarım mahsul
chat: sohbet
model: yapay_zeka model
council: görüş konsey tartış
names: isim kişi kuruluş varlık
draw: resim_üret görsel_oluştur çiz
moderate: moder nefret hakaret
ocr: metin_tanıma ocr karakter_tanıma yazıyı_oku
personal: kişisel
research: araştır
screenshot: ekran_görüntü
sentiment: duygu olumlu
summarize: özet
translate: çeviri tercüme ingilizceye çevir
language: dil ingilizce
websearch: internette web_arama internet
question: soru
aircraft: uçak helikopter
registration: tescil kuyruk_numara
owner: sahip sahib
airport: havaalanı havalimanı
code: kod
accident: kaza
weather: hava_durumu hava
hazard: türbülans buzlanma fırtına tehlike
forecast: tahmin
bank: banka
insured: sigorta
statement: hesap_özeti ekstre hesap_hareket
barcode: barkod karekod qr
batch: tek_seferde toplu
gene: gen
protein: protein
species: tür bilimsel_ad canlı
unemployment: işsizlik
inflation: enflasyon ücret
book: kitap roman
author: yazar
brazil: brezilya
company: şirket firma işletme
match: eşleş
connecticut: connecticut
officers: yönetici müdür
sanctions: yaptırım
finland: fin finlandiya
france: fransız fransa
ticker: hisse_kodu sembol
identifier: kimlik tanımlayıcı isbn
diligence: inceleme istihbarat dosya_şirket
lei: lei tüzel
subsidiary: bağlı_ortak iştirak ana_şirket
isin: isin
securities: menkul tahvil
industry: sektör endüstri
norway: norveç
poland: polonya
usa: abd amerika
registry: sicil
britain: ingiltere birleşik_krallık britanya
workday: iş_gün
date: tarih gün
earnings: bilanço kazanç çeyrek
holiday: tatil bayram
event: takvim etkinlik
ipo: halka_arz
population: nüfus
income: gelir
zip: posta_kod
compound: molekül kimyasal bileşik
formula: formül
traditional: geleneksel basitleştirilmiş
chinese: çince
detect: algıla tespit
pinyin: pinyin telaffuz
history: geçmiş tarihsel
rain: yağış yağmur kar
station: istasyon
trial: klinik_araştırma klinik
details: ayrıntı detay
disease: hastalık kanser diyabet
repository: depo github
exchange: döviz kur para_birim kuru
dollar: dolar euro avro lira
unit: birim kilometre kilogram mil derece litre
countdown: geri_sayım
email: e_posta eposta mail
country: ülke
risk: risk
rating: kredi_not not
capital: başkent
calling: telefon_kodu alan_kodu ülke_kodu
transaction: işlem
wallet: cüzdan
scam: dolandırıcı güvenli tehlikeli
bitcoin: bitcoin btc
ethereum: ethereum eth
crypto: kripto
balance: bakiye
token: token jeton
fee: ücret komisyon
mempool: mempool
waiting: bekleyen onaylanmamış
utxo: utxo harcanmamış
candle: mum
price: fiyat
market: piyasa borsa
tvl: tvl kilitli
blockchain: blok_zincir blokzincir zincir ağ
coin: coin madeni
contract: akıllı_sözleşme sözleşme
calldata: calldata girdi_veri
decode: çöz
defi: defi merkeziyetsiz_finans
revenue: hasılat
yield: getiri
pool: havuz likidite
dex: dex merkeziyetsiz_borsa merkeziyetsiz
trending: trend popüler
ens: ens
fear: korku açgözlülük
gas: gas gaz
capitalization: piyasa_değeri hakimiyet
kimchi: kimchi
korea: kore
funding: fonlama
perpetual: sürekli_vadeli süresiz perpetual
predict: tahmini sonraki öngör
cron: cron
jwt: jwt
signature: imza
license: lisans
regex: düzenli_ifade regex
version: sürüm versiyon
markdown: markdown
domain: alan_ad
security: güvenlik
edifact: edifact
edi: edi
spf: spf
loan: kredi taksit ipotek borç
interest: faiz
irr: iç_verim irr
investment: yatırım
option: opsiyon
coordinates: koordinat enlem
distance: mesafe uzaklık uzak
area: alan_hesap yüzölçüm
invoice: fatura
json: json
path: yol
repair: onar düzelt bozuk
schema: şema
lock: kilit
payment: ödeme
pdf: pdf
phone: telefon
label: etiket
product: ürün
topic: konu kanal
delivery: teslim
publish: yayınla yayımla
subscribe: abone
unsubscribe: abonelikten_çık aboneliği_iptal
acknowledge: onayla
queue: kuyruk kuyruğ
dead: başarısız teslim_edilemeyen
failed: başarısız hata
schedule: zamanla planla her_saat
vulnerability: güvenlik_açığ zafiyet
severity: önem_derece ciddiyet
stored: kayıtlı saklanan benim
condition: koşul filtre
key: anahtar
value: değer
counter: sayaç
usage: kullanım yer_kapl
export: dışa_aktar
vector: vektör
similar: benzer
redact: gizle sansür anonim maskele
timezone: saat_dilim
time: saat
feed: besleme rss akış
robots: robots
iban: iban hesap_numara
taxid: vergi kdv
watch: izle takip
webhook: webhook
secret: gizli
`;
