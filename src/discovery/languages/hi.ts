/** Hindi words of each subject (see words.ts for their form). */
export const words = `
.: का के की में से को है हैं क्या कैसे कब कहां कौन कितना कितने कितनी और या एक यह इस मुझे मेरा मेरी मेरे पर के_लिए लिए करें करना करो
check: जांच जाँच सत्यापि वैध सही मान्य
convert: बदल परिवर्तित रूपांतर
create: बनाएं बनाना बनाओ बनाने तैयार लिख
read: पढ़ स्कैन
find: खोज ढूंढ निकाल
search: खोज सर्च
list: सूची लिस्ट
count: गिन संख्या कितने
compare: तुलना अंतर
delete: हटा मिटा डिलीट
erase: सब_मिटा पूरा_मिटा सब_कुछ_मिटा
everything: सब_कुछ सभी सब पूरा
update: अपडेट बदलाव बढ़ा
cancel: रद्द बंद
status: स्थिति
get: प्राप्त लाना डाउनलोड
put: सहेज रखना डाल जोड़ सेव
take: लेना लो ले निकाल
return: वापस लौटा
again: फिर_से दोबारा
send: भेज
extend: बढ़ा अवधि
release: छोड़ मुक्त खोल
several: कई एक_साथ अनेक
split: बांट विभाजित टुकड़
extract: निकाल
describe: वर्णन विवरण
classify: वर्गीक
sort: क्रमबद्ध
run: चलने चलेगा निष्पादन
now: अभी वर्तमान ताजा
since: बाद_से नया
near: निकट पास नजदीक सबसे_पास
change: बदल परिवर्तन
notify: सूचित सूचना
call: कॉल
message: संदेश मैसेज
words: शब्द
text: पाठ टेक्स्ट लेख
document: दस्तावेज
file: फाइल
image: तस्वीर चित्र फोटो छवि
word: वर्ड word
webpage: वेब_पेज वेबपेज वेबसाइट पेज
table: तालिका टेबल
postal: डाक
format: प्रारूप फॉर्मेट
address: पता पते एड्रेस
news: समाचार खबर
drought: सूखा सूखे
harvest: फसल कृषि खेती गेहूं
chat: चैट बातचीत
model: मॉडल एआई कृत्रिम
council: राय परिषद
names: नाम व्यक्ति संगठन
draw: चित्र_बना तस्वीर_बना
moderate: घृणा आपत्तिजनक अपमानजनक
ocr: ओसीआर तस्वीर_से_पाठ तस्वीर_से_टेक्स्ट चित्र_से_टेक्स्ट फोटो_से_टेक्स्ट पाठ_पहचान
personal: व्यक्तिगत निजी
research: शोध अनुसंधान
screenshot: स्क्रीनशॉट
sentiment: भावना
summarize: सारांश संक्षेप
translate: अनुवाद
language: भाषा अंग्रेजी
websearch: इंटरनेट वेब_खोज
question: सवाल प्रश्न
aircraft: विमान हवाई_जहाज हेलीकॉप्टर
registration: पंजीकरण
owner: मालिक स्वामी
airport: हवाई_अड्ड एयरपोर्ट हवाईअड्ड
code: कोड
accident: दुर्घटना हादस
weather: मौसम
hazard: अशांति खतर तूफान
forecast: पूर्वानुमान
bank: बैंक
insured: बीमित बीमा
statement: बैंक_स्टेटमेंट स्टेटमेंट
barcode: बारकोड क्यूआर qr
batch: एक_साथ बैच
gene: जीन
protein: प्रोटीन
species: प्रजाति वैज्ञानिक_नाम
unemployment: बेरोजगार
inflation: महंगाई मुद्रास्फीति वेतन
book: किताब पुस्तक
author: लेखक
brazil: ब्राजील
company: कंपनी फर्म
match: मिलान
connecticut: कनेक्टिकट
officers: निदेशक अधिकारी
sanctions: प्रतिबंध
finland: फिनलैंड
france: फ्रांस फ्रांसीसी
ticker: टिकर
identifier: पहचान आईएसबीएन isbn
diligence: पृष्ठभूमि_जांच पृष्ठभूमि
lei: कानूनी_इकाई lei
subsidiary: सहायक_कंपनी सहायक मूल_कंपनी
isin: isin आईएसआईएन
securities: प्रतिभूति बॉन्ड
industry: उद्योग
norway: नॉर्वे
poland: पोलैंड
usa: अमेरिक
registry: रजिस्टर
britain: ब्रिटेन ब्रिटिश यूके
workday: कार्य_दिवस कार्यदिवस
date: तारीख दिनांक तिथि
earnings: तिमाही कमाई
holiday: छुट्टी छुट्टियां छुट्टियों अवकाश त्योहार
event: कैलेंडर कार्यक्रम
ipo: आईपीओ ipo
population: जनसंख्या आबादी
income: आय आमदनी
zip: पिन_कोड ज़िप
compound: यौगिक रासायनिक अणु
formula: सूत्र
traditional: पारंपरिक सरलीकृत
chinese: चीनी
detect: पहचान पता_लगा
pinyin: पिनयिन उच्चारण
history: इतिहास पिछल पुराने
rain: बारिश वर्षा
station: स्टेशन
trial: क्लिनिकल_ट्रायल नैदानिक क्लीनिकल परीक्षण
details: विस्तार विवरण
disease: बीमारी रोग कैंसर मधुमेह
repository: रिपॉजिटरी गिटहब github
exchange: विनिमय मुद्रा भाव_रुपये रुपये_में एक्सचेंज_रेट दर
dollar: डॉलर यूरो रुपय
unit: इकाई किलोमीटर किलोग्राम मील किलो डिग्री
countdown: उलटी_गिनती काउंटडाउन
email: ईमेल मेल
country: देश
risk: जोखिम
rating: रेटिंग
capital: राजधानी
calling: डायलिंग देश_कोड
transaction: लेनदेन ट्रांजैक्शन
wallet: वॉलेट बटुआ
scam: धोखा धोखाधड़ी सुरक्षित फर्जी
bitcoin: बिटकॉइन
ethereum: एथेरियम इथेरियम
crypto: क्रिप्टो
balance: शेष बैलेंस
token: टोकन
fee: शुल्क फीस
mempool: मेमपूल
waiting: प्रतीक्षा लंबित
utxo: अप्रयुक्त utxo
candle: कैंडल
price: कीमत मूल्य भाव दाम
market: बाजार एक्सचेंज
tvl: टीवीएल लॉक_मूल्य tvl
blockchain: ब्लॉकचेन नेटवर्क
coin: सिक्का कॉइन
contract: स्मार्ट_कॉन्ट्रैक्ट अनुबंध
calldata: कॉलडेटा इनपुट_डेटा
decode: डिकोड
defi: डीफाई विकेंद्रीकृत_वित्त
revenue: राजस्व
yield: प्रतिफल रिटर्न यील्ड
pool: पूल तरलता
dex: विकेंद्रीकृत
trending: ट्रेंड लोकप्रिय
ens: ens
fear: डर भय लालच
gas: गैस
capitalization: बाजार_पूंजी पूंजीकरण
kimchi: किमची
korea: कोरिया
funding: फंडिंग
perpetual: परपेचुअल
predict: अनुमानित अगली
cron: क्रॉन cron
jwt: jwt जेडब्ल्यूटी
signature: हस्ताक्षर
license: लाइसेंस
regex: रेगुलर_एक्सप्रेशन रेगेक्स नियमित
version: संस्करण वर्जन
markdown: मार्कडाउन
domain: डोमेन
security: सुरक्षा
edifact: edifact
edi: edi ईडीआई
spf: spf एसपीएफ
loan: ऋण कर्ज लोन किस्त ईएमआई
interest: ब्याज
irr: आंतरिक_प्रतिफल irr
investment: निवेश
option: ऑप्शन विकल्प
coordinates: निर्देशांक अक्षांश
distance: दूरी दूर
area: क्षेत्रफल
invoice: चालान इनवॉइस बिल
json: json जेसन
path: पथ
repair: ठीक मरम्मत टूटे
schema: स्कीमा
lock: ताला लॉक
payment: भुगतान
pdf: pdf पीडीएफ
phone: फोन मोबाइल दूरभाष
label: लेबल
product: उत्पाद
topic: विषय टॉपिक
delivery: वितरण डिलीवरी
publish: प्रकाशित
subscribe: सदस्यता सब्सक्राइब
unsubscribe: सदस्यता_रद्द अनसब्सक्राइब सदस्यता_समाप्त
acknowledge: पुष्टि
queue: कतार क्यू
dead: असफल विफल
failed: विफल
schedule: अनुसूची शेड्यूल निर्धारित हर_घंटे
vulnerability: भेद्यता कमजोरी
severity: गंभीरता
stored: सहेजे संग्रहीत सहेजा
condition: शर्त
key: कुंजी
value: मान
counter: काउंटर गणक
usage: उपयोग स्थान
export: निर्यात
vector: वेक्टर
similar: समान समानता मिलते
redact: छिपा छुपा गुमनाम
timezone: समय_क्षेत्र टाइमजोन
time: समय बजे
feed: फीड rss
robots: robots क्रॉलर
iban: iban खाता_संख्या आईबीएएन
taxid: कर_संख्या जीएसटी टैक्स कर_पहचान वैट
watch: निगरानी नजर
webhook: वेबहुक
secret: गुप्त
`;
