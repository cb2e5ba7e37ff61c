// Generated: npx vitest run test/generated.test.ts -u

/** Id of each endpoint, which of them are asked by GET instead of POST, and which answer with a file. */
export const ENDPOINTS = `
address.format
agent.knowledge-delta
agriculture.drought GET
agriculture.stats GET
ai.chat
ai.classify
ai.council
ai.describe-image
ai.entities
ai.extract
ai.image
ai.moderate
ai.ocr
ai.pii
ai.research
ai.screenshot file
ai.sentiment
ai.summarize
ai.translate
ai.web-answer
aircraft.lookup GET
aircraft.profile GET
airport.lookup GET
airport.near GET
aviation.accidents GET
aviation.metar GET
aviation.sigmet GET
aviation.taf GET
bank.lookup GET
bank.statement
barcode.generate file
barcode.read
batch.run
bio.gene GET
bio.protein GET
bio.species GET
bls.series GET
book.search GET
business.br-cnpj GET
business.entity-match GET
business.entity-profile GET
business.entity-screen GET
business.fi-companies GET
business.fr-companies GET
business.id-resolve GET
business.kyb-360 GET
business.lei GET
business.lei-hierarchy GET
business.lei-isins GET
business.naics GET
business.no-companies GET
business.pl-krs GET
business.sos-search GET
business.uk-companies GET
calendar.business-days GET
calendar.earnings GET
calendar.holidays GET
calendar.ics
calendar.ipo GET
census.demographics GET
census.zipcode GET
chem.compound GET
chinese.convert GET
chinese.detect GET
chinese.pinyin GET
class.industry-resolve GET
climate.station-history GET
climate.station-near GET
clinical.study-detail GET
clinical.trial-search GET
code.repo-lookup GET
convert.currency GET
convert.unit GET
countdown.gif GET file
country.financials GET
country.lookup GET
crypto.address-history GET
crypto.address-safety GET
crypto.address-screen GET
crypto.address-validate GET
crypto.balances GET
crypto.btc-address GET
crypto.btc-fees GET
crypto.btc-mempool GET
crypto.btc-tx GET
crypto.btc-utxos GET
crypto.cex-klines GET
crypto.cex-ticker GET
crypto.chain-tvl-history GET
crypto.coin GET
crypto.coin-history GET
crypto.contract GET
crypto.decode-calldata
crypto.defi GET
crypto.defi-chains GET
crypto.defi-fees GET
crypto.defi-protocol-history GET
crypto.defi-yields GET
crypto.dex-networks GET
crypto.dex-ohlcv GET
crypto.dex-pools GET
crypto.dex-search GET
crypto.dex-token-pools GET
crypto.ens-resolve GET
crypto.fear-greed GET
crypto.gas-oracle GET
crypto.global GET
crypto.kimchi-premium GET
crypto.perpvenue-funding GET
crypto.perpvenue-predicted-funding GET
data.convert
dev.cron GET
dev.jwt
dev.license GET
dev.regex-test
dev.version GET
doc.to-markdown
domain.email-security
edi.edifact
edi.parse
email.spf
email.validate
finance.amortize
finance.irr
finance.option
geo.convert
geo.distance
html.extract
html.to-markdown
image.compare
invoice.read
invoice.validate
json.diff
json.query
json.repair
json.validate
lock.acquire
lock.release
lock.renew
payment.qr
pdf.text
pdf.to-image file
pdf.to-markdown
phone.normalize
product.gs1
pubsub.create-topic
pubsub.delete-topic
pubsub.deliveries
pubsub.publish
pubsub.subscribe
pubsub.unsubscribe
queue.ack
queue.dead-letters
queue.enqueue
queue.extend
queue.lease
queue.nack
queue.redrive
queue.stats
schedule.cancel
schedule.create
schedule.list
schedule.status
security.cvss GET
store.blob-delete
store.blob-get file
store.blob-list
store.blob-put
store.doc-delete
store.doc-get
store.doc-patch
store.doc-put
store.doc-query
store.doc-search
store.erase
store.export
store.kv-delete
store.kv-get
store.kv-increment
store.kv-put
store.kv-scan
store.usage
store.vector-delete
store.vector-query
store.vector-upsert
text.chunk
text.diff
text.redact
text.similarity
time.convert GET
time.parse
tld.info GET
url.feed
url.robots
validate.batch
validate.iban GET
validate.identifier GET
validate.tax-id
watchers.arm
watchers.cancel
watchers.list GET
watchers.status GET
webhooks.redeliver
webhooks.rotate
`;
