/**
 * The subjects of each endpoint: words that every file beside this one gives in its language. An endpoint is found by
 * the subjects of a question, rare ones first, so each has those that tell it from its neighbours.
 */
export const SUBJECTS = `
address.format: postal format
agent.knowledge-delta: news since
agriculture.drought: drought
agriculture.stats: harvest
ai.chat: chat model
ai.classify: classify text model
ai.council: council model several
ai.describe-image: describe image
ai.entities: names find text
ai.extract: extract webpage json
ai.image: draw image
ai.moderate: moderate check text
ai.ocr: ocr image text extract
ai.pii: personal find text
ai.research: research
ai.screenshot: screenshot webpage image
ai.sentiment: sentiment text
ai.summarize: summarize text document webpage
ai.translate: translate text language
ai.web-answer: websearch question
aircraft.lookup: aircraft registration owner
aircraft.profile: aircraft sanctions owner
airport.lookup: airport code
airport.near: airport near
aviation.accidents: accident aircraft
aviation.metar: weather airport now
aviation.sigmet: hazard weather aircraft
aviation.taf: forecast weather airport
bank.lookup: bank insured
bank.statement: statement bank read
barcode.generate: barcode create
barcode.read: barcode read image
batch.run: batch several
bio.gene: gene
bio.protein: protein
bio.species: species
bls.series: unemployment inflation
book.search: book author
business.br-cnpj: brazil company
business.entity-match: company names match
business.entity-profile: connecticut company officers
business.entity-screen: company sanctions
business.fi-companies: finland company
business.fr-companies: france company officers
business.id-resolve: company ticker identifier
business.kyb-360: diligence company
business.lei: lei company
business.lei-hierarchy: subsidiary owner company
business.lei-isins: isin securities company
business.naics: industry code
business.no-companies: norway company
business.pl-krs: poland company
business.sos-search: usa company registry
business.uk-companies: britain company
calendar.business-days: workday date count
calendar.earnings: earnings date
calendar.holidays: holiday
calendar.ics: event read
calendar.ipo: ipo
census.demographics: population income usa
census.zipcode: zip population income
chem.compound: compound formula
chinese.convert: traditional chinese convert
chinese.detect: chinese detect traditional
chinese.pinyin: pinyin chinese
class.industry-resolve: industry convert
climate.station-history: weather history rain
climate.station-near: station near weather
clinical.study-detail: trial details
clinical.trial-search: trial search disease
code.repo-lookup: repository
convert.currency: exchange convert dollar
convert.unit: unit convert
countdown.gif: countdown email
country.financials: country risk rating
country.lookup: country capital calling
crypto.address-history: transaction wallet history address
crypto.address-safety: scam address risk wallet
crypto.address-screen: sanctions address wallet crypto
crypto.address-validate: address check bitcoin ethereum crypto wallet
crypto.balances: balance wallet token ethereum address
crypto.btc-address: bitcoin balance address
crypto.btc-fees: bitcoin fee
crypto.btc-mempool: mempool bitcoin waiting
crypto.btc-tx: bitcoin transaction
crypto.btc-utxos: utxo bitcoin address
crypto.cex-klines: candle price market
crypto.cex-ticker: price bitcoin crypto now market
crypto.chain-tvl-history: tvl history blockchain
crypto.coin: price bitcoin ethereum crypto coin
crypto.coin-history: price bitcoin ethereum history crypto coin
crypto.contract: contract ethereum
crypto.decode-calldata: calldata transaction decode
crypto.defi: defi tvl list
crypto.defi-chains: tvl blockchain list
crypto.defi-fees: defi fee revenue
crypto.defi-protocol-history: tvl defi history
crypto.defi-yields: yield defi pool
crypto.dex-networks: dex blockchain list
crypto.dex-ohlcv: dex candle pool
crypto.dex-pools: dex pool trending
crypto.dex-search: dex pool search
crypto.dex-token-pools: pool token
crypto.ens-resolve: ens ethereum names address
crypto.fear-greed: fear crypto
crypto.gas-oracle: gas ethereum fee now
crypto.global: capitalization crypto market
crypto.kimchi-premium: kimchi korea crypto
crypto.perpvenue-funding: funding perpetual
crypto.perpvenue-predicted-funding: predict funding perpetual
data.convert: format convert table
dev.cron: cron run
dev.jwt: jwt decode signature
dev.license: license check
dev.regex-test: regex text
dev.version: version compare sort
doc.to-markdown: word document convert markdown
domain.email-security: domain email security
edi.edifact: edifact create read
edi.parse: edi read
email.spf: spf email domain send
email.validate: email check
finance.amortize: loan interest
finance.irr: irr investment
finance.option: option price
geo.convert: coordinates convert
geo.distance: distance coordinates area
html.extract: extract webpage table
html.to-markdown: webpage markdown convert
image.compare: image compare
invoice.read: invoice read
invoice.validate: invoice check
json.diff: json compare
json.query: json find path
json.repair: json repair
json.validate: json schema check
lock.acquire: lock take
lock.release: lock release
lock.renew: lock extend
payment.qr: payment barcode create read
pdf.text: pdf text extract
pdf.to-image: pdf image convert
pdf.to-markdown: pdf markdown convert table
phone.normalize: phone check format
product.gs1: label product read
pubsub.create-topic: topic create
pubsub.delete-topic: topic delete
pubsub.deliveries: delivery topic message list
pubsub.publish: publish message topic send
pubsub.subscribe: subscribe topic
pubsub.unsubscribe: unsubscribe topic
queue.ack: acknowledge queue message
queue.dead-letters: dead queue message failed
queue.enqueue: put queue message
queue.extend: extend queue message
queue.lease: take queue message
queue.nack: return queue message
queue.redrive: again queue message dead
queue.stats: count queue message status
schedule.cancel: schedule cancel
schedule.create: schedule create call
schedule.list: schedule list
schedule.status: schedule status
security.cvss: vulnerability severity
store.blob-delete: file delete stored
store.blob-get: file get stored
store.blob-list: file list stored
store.blob-put: file put stored
store.doc-delete: document delete stored
store.doc-get: document get stored
store.doc-patch: document update stored
store.doc-put: document put stored
store.doc-query: document find condition stored
store.doc-search: document search words stored
store.erase: erase everything
store.export: export everything
store.kv-delete: key value delete
store.kv-get: key value get
store.kv-increment: counter value update
store.kv-put: key value put
store.kv-scan: key list
store.usage: usage stored
store.vector-delete: vector delete
store.vector-query: vector find near
store.vector-upsert: vector put
text.chunk: split text
text.diff: text compare version
text.redact: redact personal text delete
text.similarity: similar text names compare
time.convert: timezone time convert
time.parse: date text time find
tld.info: domain split
url.feed: feed read
url.robots: robots
validate.batch: check several
validate.iban: iban check bank
validate.identifier: identifier check
validate.tax-id: taxid check
watchers.arm: watch change notify
watchers.cancel: watch cancel
watchers.list: watch list
watchers.status: watch status
webhooks.redeliver: again send webhook delivery
webhooks.rotate: secret webhook change
`;
