/** Arabic words of each subject (see words.ts for their form). */
export const words = `
.: في من على إلى عن ما هي هو كم كيف أين متى هل هذا هذه بين مع أو أريد لي عند كل
check: تحقق فحص صحيح صالح صحة صلاحية تأكد
convert: تحويل حول محول حساب_تحويل
create: إنشاء انشئ توليد صنع كتابة
read: قراءة اقرأ مسح تحليل
find: العثور ايجاد ابحث استخراج
search: بحث ابحث البحث
list: قائمة سرد عرض ترتيب
count: عدد حساب كم
compare: مقارنة قارن فرق
delete: حذف احذف إزالة
erase: مسح_كل محو
everything: كل جميع
update: تحديث تعديل زيادة
cancel: إلغاء إيقاف
status: حالة وضع
get: جلب استرجاع تنزيل الحصول
put: حفظ تخزين إضافة وضع احفظ
take: أخذ سحب الحصول استلام
return: إرجاع إعادة
again: مرة_أخرى إعادة مجددا
send: إرسال ارسل
extend: تمديد
release: تحرير فك
several: عدة متعددة مجموعة دفعة
split: تقسيم تقطيع تجزئة
extract: استخراج استخلاص
describe: وصف
classify: تصنيف
sort: فرز ترتيب
run: تشغيل تنفيذ
now: الآن حالي الحالية
since: منذ جديد
near: أقرب قريب
change: تغير تغيير تبديل
notify: إشعار تنبيه إخطار
call: استدعاء
message: رسالة رسائل
words: كلمات كلمة
text: نص نصوص
document: مستند وثيقة مستندات
file: ملف
image: صورة صور
word: وورد word
webpage: صفحة_ويب موقع صفحة الويب
table: جدول جداول
postal: بريدي العنوان_البريدي كتابة_العنوان كتابة_عنوان
format: تنسيق صيغة كتابة_العنوان
address: عنوان
news: أخبار جديد مستجدات
drought: جفاف
harvest: محصول زراع حصاد قمح
chat: دردشة محادثة
model: نموذج نماذج ذكاء_اصطناعي الذكاء
council: آراء مجلس نقاش
names: أسماء أشخاص منظمات كيانات اسم
draw: توليد_صورة رسم إنشاء_صورة
moderate: كراهية مسيء إشراف إساءة
ocr: التعرف_على_النص قراءة_النص التعرف_الضوئي
personal: شخصي الشخصية بيانات_شخصية
research: بحث_عن موجز دراسة
screenshot: لقطة_شاشة لقطة
sentiment: مشاعر المشاعر
summarize: تلخيص ملخص لخص
translate: ترجم ترجمة
language: لغة الإنجليزية
websearch: بحث_الويب الإنترنت انترنت
question: سؤال
aircraft: طائرة طائرات مروحية
registration: تسجيل
owner: مالك صاحب يملك
airport: مطار
code: رمز كود
accident: حادث حوادث تحطم
weather: طقس
hazard: اضطراب مطبات عواصف تجمد خطر
forecast: توقعات تنبؤ
bank: بنك مصرف بنوك
insured: مؤمن تأمين_الودائع
statement: كشف_حساب كشف
barcode: باركود رمز_الاستجابة شريطي qr
batch: دفعة_واحدة دفعة
gene: جين مورث
protein: بروتين
species: نوع_حيوان اسم_علمي الاسم_العلمي كائن
unemployment: بطالة
inflation: تضخم أجور
book: كتاب كتب
author: مؤلف كاتب
brazil: برازيل
company: شركة شركات منشأة
match: مطابقة
connecticut: كونيتيكت
officers: مدراء مديرين مدير
sanctions: عقوبات
finland: فنلند
france: فرنس
ticker: رمز_السهم
identifier: معرف رقم_تعريف isbn
diligence: العناية_الواجبة تدقيق
lei: كيان_قانوني معرف_الكيان lei
subsidiary: شركة_تابعة تابعة الأم
isin: isin
securities: أوراق_مالية سندات
industry: صناعة قطاع
norway: نرويج
poland: بولند
usa: أمريك الولايات_المتحدة
registry: سجل
britain: بريطان المملكة_المتحدة
workday: أيام_العمل يوم_عمل أيام_عمل
date: تاريخ تاريخين
earnings: أرباح نتائج_مالية
holiday: عطل عطلة إجازات عيد أعياد
event: تقويم حدث أحداث
ipo: طرح_عام اكتتاب
population: سكان
income: دخل
zip: رمز_بريدي الرمز_البريدي
compound: مركب كيميائي جزيء
formula: صيغة_كيميائية الصيغة_الكيميائية كتلة
traditional: تقليدي مبسط
chinese: صيني
detect: كشف تحديد
pinyin: بينيين نطق
history: تاريخي سجل السابق ماضي
rain: أمطار مطر هطول
station: محطة محطات
trial: تجربة_سريرية تجارب_سريرية سريرية
details: تفاصيل
disease: مرض سرطان سكري
repository: مستودع github
exchange: سعر_الصرف سعر_صرف صرف عملة عملات
dollar: دولار يورو ريال
unit: وحدة وحدات كيلومتر كيلوغرام ميل درجة
countdown: عد_تنازلي العد_التنازلي
email: بريد_إلكتروني البريد_الإلكتروني إيميل بريد
country: دولة بلد
risk: مخاطر خطر
rating: تصنيف_ائتماني
capital: عاصمة
calling: رمز_الاتصال مفتاح_الدولة
transaction: معاملة معاملات
wallet: محفظة
scam: احتيال نصب آمن تصيد
bitcoin: بيتكوين بتكوين
ethereum: إيثريوم ايثيريوم إيثيريوم
crypto: عملات_رقمية عملة_رقمية مشفرة كريبتو العملات_الرقمية
balance: رصيد
token: توكن رمز_مميز
fee: رسوم عمولة
mempool: ميمبول mempool
waiting: انتظار معلقة
utxo: غير_منفق utxo
candle: شموع
price: سعر أسعار
market: سوق بورصة منصة
tvl: قيمة_مقفلة القيمة_المقفلة tvl
blockchain: بلوكشين سلسلة_الكتل شبكة
coin: عملة
contract: عقد_ذكي العقد_الذكي عقد
calldata: بيانات_الاستدعاء بيانات_الإدخال
decode: فك_تشفير فك_ترميز
defi: تمويل_لامركزي التمويل_اللامركزي ديفاي defi
revenue: إيرادات
yield: عائد عوائد
pool: مجمع سيولة
dex: لامركزي
trending: رائج شائع
ens: ens
fear: خوف جشع طمع
gas: غاز وقود
capitalization: قيمة_سوقية القيمة_السوقية
kimchi: كيمتشي
korea: كوريا
funding: تمويل معدل_التمويل
perpetual: دائمة آجلة
predict: متوقع المتوقع
cron: كرون cron
jwt: jwt
signature: توقيع
license: ترخيص رخصة
regex: تعبير_نمطي التعبير_النمطي نمطي
version: إصدار نسخة
markdown: ماركداون markdown
domain: نطاق دومين
security: أمان أمن
edifact: edifact
edi: edi
spf: spf
loan: قرض رهن قسط أقساط
interest: فائدة
irr: معدل_العائد_الداخلي irr
investment: استثمار
option: خيار خيارات
coordinates: إحداثيات
distance: مسافة بعد
area: مساحة
invoice: فاتورة فواتير
json: json جيسون
path: مسار
repair: إصلاح تالف
schema: مخطط
lock: قفل
payment: دفع سداد
pdf: pdf
phone: هاتف جوال
label: ملصق
product: منتج
topic: موضوع قناة
delivery: تسليم توصيل
publish: نشر
subscribe: اشتراك اشترك
unsubscribe: إلغاء_الاشتراك
acknowledge: إقرار تأكيد
queue: طابور قائمة_انتظار
dead: ميتة فاشلة
failed: فاشل فشل
schedule: جدولة جدول_زمني كل_ساعة مجدول
vulnerability: ثغرة ثغرات
severity: خطورة شدة
stored: مخزن محفوظ
condition: شرط شروط
key: مفتاح
value: قيمة
counter: عداد
usage: استخدام مساحة_التخزين
export: تصدير
vector: متجه
similar: تشابه متشابه
redact: إخفاء حجب
timezone: منطقة_زمنية المناطق_الزمنية التوقيت
time: وقت ساعة الساعة
feed: خلاصة rss
robots: robots زاحف
iban: آيبان iban الحساب_المصرفي الحساب_البنكي
taxid: ضريبي ضريبة
watch: مراقبة راقب متابعة
webhook: webhook ويبهوك
secret: سر سري
`;
