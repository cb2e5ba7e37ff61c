/** Russian words of each subject (see words.ts for their form). */
export const words = `
.: и в на к с из для по о об от до за как что это какой какая какие где когда кто сколько мой моя мои мне я не ли или при между этот эта у со есть
check: провер корректн валид правильн действител верен
convert: конверт преобраз перевести_в перевод_единиц пересчит
create: созда сгенер сделать состав написать
read: прочит чтение считать распозна разобрать читать
find: найти найд поиск
search: поиск искать найти
list: список перечен рейтинг все_мои
count: посчит подсч сколько количеств
compare: сравн разниц отлич
delete: удал
erase: стереть удалить_все очист
everything: все всё полност
update: обнов измен увелич
cancel: отмен останов прекрат
status: статус состояни
get: получ скачать прочит
put: сохран полож добав загруз постав записать
take: взять забрать захват получ
return: вернуть возврат
again: повтор снова еще_раз
send: отправ послать
extend: продл
release: освобод снять
several: нескольк много сразу
split: разбить раздел разбив
extract: извле вытащ достать
describe: опис описание
classify: классиф категор
sort: сортир упорядоч
run: запуск выполн
now: сейчас текущ
since: нового произошло с_тех
near: ближайш рядом близк недалеко
change: измен смен
notify: уведом сообщ оповест
call: вызов вызвать вызывать
message: сообщени
words: слова словам
text: текст
document: документ
file: файл
image: изображен картин фото снимк
word: ворд word docx презентац
webpage: веб_страниц сайт страниц html
table: таблиц
postal: почтов
format: формат оформ
address: адрес
news: новост нового
drought: засух
harvest: урожа сельск пшениц кукуруз
chat: чат беседа диалог
model: модел нейросет искусственн
council: мнени совет обсужд
names: имена имен названи люди организац
draw: нарис сгенерировать_изображ рисова
moderate: модер ненавист оскорб
ocr: распознать_текст распознавани распозна
personal: персональн личн
research: исследов справк обзор
screenshot: скриншот снимок_экрана
sentiment: тональн настроени эмоц
summarize: кратк пересказ резюме
translate: перевод перевести переведи
language: язык английск
websearch: в_интернете интернет веб_поиск
question: вопрос
aircraft: самолет вертолет воздушн_судн авиа
registration: регистрац бортовой
owner: владел принадлеж собственник
airport: аэропорт аэродром
code: код
accident: авари катастроф крушени происшеств
weather: погод
hazard: турбулент обледен гроз опасн пепел
forecast: прогноз
bank: банк
insured: застрахован
statement: выписк
barcode: штрихкод штрих_код qr_код qr куар
batch: пакет одним_запросом разом
gene: ген гена гене
protein: белок белк протеин
species: вид животного биологическ_вид латинск научное_назван вид_растен
unemployment: безработиц
inflation: инфляц зарплат потребительск_цен
book: книг роман
author: автор писател
brazil: бразил
company: компани фирм предприят организац юрлиц
match: сопостав соответств
connecticut: коннектикут
officers: директор руководител учредител
sanctions: санкц
finland: финск финлянд
france: француз франци
ticker: тикер
identifier: идентификатор isbn
diligence: благонадежн досье контрагент
lei: lei юридического_лица
subsidiary: дочерн материнск
isin: isin
securities: ценн_бумаг облигац
industry: отрасл
norway: норвеж норвег
poland: польск польш
usa: сша америк
registry: реестр
britain: британ англи
workday: рабочих_дн рабочий_день рабочие_дн рабоч
date: дат дни
earnings: отчетност квартальн прибыл
holiday: праздник праздничн выходн
event: календар событи
ipo: ipo размещени
population: населен жител
income: доход
zip: почтовый_индекс индекс
compound: молекул химическ вещество соединени
formula: формул молярн молекулярная_масс
traditional: традиционн упрощен
chinese: китайск иероглиф
detect: определ
pinyin: пиньин произношен произнос
history: истори прошл архив
rain: осадк дожд снег
station: метеостанц станц
trial: клиническ испытани исследовани
details: подробн детал
disease: болезн рак диабет заболеван
repository: репозитор гитхаб github
exchange: курс валют обмен
dollar: доллар евро рубл
unit: единиц километр килограмм фунт цельс мили литр
countdown: обратный_отсчет отсчет таймер
email: почт e_mail email письм
country: стран
risk: риск
rating: рейтинг
capital: столиц
calling: телефонный_код код_стран
transaction: транзакц
wallet: кошел
scam: мошен скам опасн безопас
bitcoin: биткоин биткойн btc
ethereum: эфириум эфир ethereum
crypto: крипто
balance: баланс остаток
token: токен
fee: комисси
mempool: мемпул
waiting: ожида неподтвержд
utxo: utxo непотрач
candle: свеч
price: цена цены цену стоит стоимост
market: рынок рынк бирж
tvl: tvl заблокирован
blockchain: блокчейн сет
coin: монет
contract: смарт_контракт контракт
calldata: calldata входн_данн
decode: декод расшифр
defi: defi дефи
revenue: выручк доходы_прот
yield: доходност
pool: пул ликвидн
dex: dex децентрализ
trending: популярн тренд
ens: ens
fear: страх жадност
gas: газ
capitalization: капитализац доминац
kimchi: кимчи
korea: коре
funding: финансирован фандинг
perpetual: бессрочн перпетуал
predict: предсказ следующ ожидаем
cron: cron крон
jwt: jwt
signature: подпис
license: лиценз
regex: регулярн регекс
version: верси
markdown: markdown маркдаун
domain: домен
security: безопасн
edifact: edifact
edi: edi
spf: spf
loan: кредит ипотек заем платеж_по
interest: процент
irr: внутренн_норм irr доходности_инвест
investment: инвестиц вложен
option: опцион
coordinates: координат широт
distance: расстоян далеко
area: площад
invoice: счет_фактур счет_на инвойс накладн счет
json: json
path: путь пути
repair: почин исправ сломан битый восстанов
schema: схем
lock: блокировк лок замок
payment: оплат платеж
pdf: pdf пдф
phone: телефон
label: этикет маркиров
product: товар продукт
topic: тем топик канал
delivery: доставк доставлен
publish: опублик публик
subscribe: подписаться подписк подпиш
unsubscribe: отписаться отпис
acknowledge: подтверд
queue: очеред
dead: недоставлен неудач мертв
failed: неудач ошибк
schedule: расписан запланир планиров каждый_час
vulnerability: уязвим
severity: серьезн критичн тяжест
stored: сохранен хран мои
condition: услови фильтр
key: ключ
value: значени
counter: счетчик
usage: сколько_мест использован занят
export: экспорт выгруз
vector: вектор эмбеддинг
similar: похож схож сходств
redact: скрыть обезлич замаскир анонимиз
timezone: часовой_пояс часовых_пояс
time: врем который_час
feed: лент rss фид
robots: robots краулер
iban: iban номер_счета
taxid: инн налог ндс
watch: следить отслеж наблюд монитор
webhook: вебхук
secret: секрет
`;
