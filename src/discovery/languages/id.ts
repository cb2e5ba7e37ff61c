/** Indonesian words of each subject (see words.ts for their form). */
export const words = `
.: di ke dari yang untuk dan atau dengan apa apakah berapa bagaimana siapa mana kapan ini itu saya aku pada adalah ada antara oleh dalam sebuah
check: cek periksa validasi valid benar verifikasi memeriksa
convert: konversi ubah mengubah jadikan tukar
create: buat membuat hasilkan tulis bikin
read: baca membaca pindai
find: temukan cari mencari
search: cari pencarian mencari telusuri
list: daftar peringkat
count: hitung jumlah menghitung
compare: bandingkan membandingkan beda perbedaan perbandingan
delete: hapus menghapus hilangkan
erase: hapus_semua hapus_seluruh
everything: semua seluruh
update: perbarui mengubah ubah tambah
cancel: batalkan hentikan membatalkan
status: status keadaan
get: ambil dapatkan unduh
put: simpan masukkan taruh menyimpan tambahkan
take: ambil mengambil dapatkan
return: kembalikan
again: ulang lagi kembali
send: kirim mengirim
extend: perpanjang
release: lepas buka
several: banyak beberapa sekaligus
split: pecah bagi potong membagi
extract: ekstrak ambil mengambil
describe: deskripsi jelaskan
classify: klasifikasi kategori
sort: urutkan
run: jalan berjalan
now: sekarang saat_ini terkini hari_ini
since: sejak terbaru
near: terdekat dekat mirip
change: berubah perubahan ganti
notify: beri_tahu pemberitahuan notifikasi
call: panggil
message: pesan
words: kata
text: teks tulisan
document: dokumen
file: berkas file
image: gambar foto
word: word docx
webpage: halaman_web situs laman website halaman
table: tabel
postal: alamat_pos alamat_surat pos
format: format penulisan
address: alamat
news: berita kabar
drought: kekeringan
harvest: panen pertanian
chat: obrolan percakapan chat
model: model kecerdasan_buatan ai
council: dewan pendapat diskusi
names: nama orang organisasi entitas
draw: buat_gambar hasilkan_gambar melukis
moderate: moderasi kebencian menghina kasar
ocr: pengenalan_teks baca_tulisan ocr teks_dari_gambar teks_dari_foto
personal: pribadi
research: riset penelitian
screenshot: tangkapan_layar screenshot
sentiment: sentimen perasaan
summarize: ringkas rangkum ringkasan
translate: terjemah
language: bahasa inggris
websearch: di_internet pencarian_web internet
question: pertanyaan
aircraft: pesawat helikopter
registration: registrasi
owner: pemilik milik
airport: bandara bandar_udara
code: kode
accident: kecelakaan
weather: cuaca
hazard: turbulensi bahaya badai
forecast: prakiraan ramalan
bank: bank
insured: dijamin asuransi
statement: rekening_koran mutasi_rekening
barcode: barcode kode_batang kode_qr qr
batch: sekaligus batch
gene: gen
protein: protein
species: spesies nama_ilmiah nama_latin
unemployment: pengangguran
inflation: inflasi upah
book: buku novel
author: penulis pengarang
brazil: brasil
company: perusahaan badan_usaha
match: cocok
connecticut: connecticut
officers: direktur pengurus
sanctions: sanksi
finland: finlandia
france: prancis perancis
ticker: kode_saham ticker
identifier: pengenal isbn
diligence: uji_tuntas latar_belakang
lei: badan_hukum lei
subsidiary: anak_perusahaan induk
isin: isin
securities: sekuritas efek obligasi
industry: industri sektor
norway: norwegia
poland: polandia
usa: amerika as
registry: registri pendaftaran
britain: inggris britania
workday: hari_kerja
date: tanggal
earnings: laba laporan_keuangan
holiday: libur tanggal_merah
event: kalender acara
ipo: ipo penawaran_umum
population: penduduk populasi
income: pendapatan penghasilan
zip: kode_pos
compound: senyawa molekul kimia
formula: rumus
traditional: tradisional sederhana
chinese: mandarin cina tionghoa
detect: deteksi
pinyin: pinyin pengucapan lafal
history: riwayat sejarah historis lalu
rain: hujan curah
station: stasiun
trial: uji_klinis klinis
details: rincian detail
disease: penyakit kanker diabetes
repository: repositori github
exchange: kurs nilai_tukar mata_uang valuta
dollar: dolar euro rupiah
unit: satuan kilometer kilogram mil derajat
countdown: hitung_mundur
email: surel email
country: negara
risk: risiko
rating: peringkat_kredit peringkat_utang
capital: ibu_kota ibukota
calling: kode_telepon kode_negara
transaction: transaksi
wallet: dompet
scam: penipuan aman penipu
bitcoin: bitcoin btc
ethereum: ethereum eth
crypto: kripto
balance: saldo
token: token
fee: biaya
mempool: mempool
waiting: menunggu tertunda
utxo: utxo belum_dibelanjakan
candle: lilin candlestick
price: harga
market: pasar bursa
tvl: tvl nilai_terkunci
blockchain: blockchain rantai jaringan
coin: koin
contract: kontrak_pintar kontrak
calldata: calldata data_masukan
decode: dekode uraikan
defi: defi
revenue: pemasukan
yield: imbal_hasil
pool: kolam likuiditas pool
dex: terdesentralisasi dex
trending: populer tren
ens: ens
fear: ketakutan keserakahan takut
gas: gas
capitalization: kapitalisasi dominasi
kimchi: kimchi
korea: korea
funding: pendanaan funding
perpetual: perpetual abadi
predict: prediksi berikutnya
cron: cron
jwt: jwt
signature: tanda_tangan
license: lisensi
regex: ekspresi_reguler regex
version: versi
markdown: markdown
domain: domain
security: keamanan
edifact: edifact
edi: edi
spf: spf
loan: pinjaman kredit cicilan angsuran kpr
interest: bunga
irr: tingkat_pengembalian irr
investment: investasi
option: opsi
coordinates: koordinat lintang
distance: jarak jauh
area: luas
invoice: faktur invoice tagihan
json: json
path: jalur
repair: perbaiki rusak memperbaiki
schema: skema
lock: kunci gembok penguncian
payment: pembayaran bayar
pdf: pdf
phone: telepon hp ponsel
label: label
product: produk
topic: topik
delivery: pengiriman terkirim
publish: terbit publikasi siarkan
subscribe: langganan berlangganan
unsubscribe: berhenti_berlangganan batal_langganan
acknowledge: konfirmasi
queue: antrean antrian
dead: gagal mati
failed: gagal
schedule: jadwal setiap_jam
vulnerability: kerentanan celah
severity: keparahan
stored: tersimpan disimpan
condition: syarat kondisi
key: kunci
value: nilai
counter: penghitung
usage: pemakaian penggunaan terpakai
export: ekspor
vector: vektor
similar: mirip kemiripan
redact: samarkan sensor
timezone: zona_waktu
time: jam waktu pukul
feed: umpan rss
robots: robots perayap
iban: iban rekening
taxid: npwp pajak
watch: pantau awasi
webhook: webhook
secret: rahasia
`;
