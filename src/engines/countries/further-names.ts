/**
 * Names that people write and that neither the table nor CLDR has: Vietnamese ones as they sound or came from Chinese, older ones
 * and those of ISO 3166 with its additions. One line a country: its code, and names in any language.
 */
const LINES = `AD An-đô-ra|Ăn-đô-ra|Ăn-đoa-ra
AE 阿联酋|阿聯酋|Các Tiểu vương quốc A-rập Thống nhất
AF Áp-ga-ni-xtan|A Phú Hãn
AG अण्टीगुआ और बारबूडा|Ăng-ti-goa và Bác-bu-đa|An-ti-goa và Bác-bu-đa
AI Ангвилла|Ăng-gui-la|An-gui-la|アングイラ
AL An-ba-ni|An-ba-ni-a
AM Ác-mê-ni-a|Ác-mê-ni
AO Ăng-gô-la|An-gô-la
AQ القطب الجنوبي
AR Ác-hen-ti-na|Á Căn Đình
AS صاموا الأمريكية|Американские Самоа|Samoa estadounidense|Xa-moa thuộc Mỹ|Xa-mô-a Mỹ
AT Áo Quốc
AU 澳大利亞
AW アルーバ|阿路巴|A-ru-ba
AX Ålandseilanden|Quần đảo A-lanh|Quần đảo Ô-lan
AZ A-déc-bai-gian|Ai-déc-bai-gian|Azerbaidjão
BA Bô-xni-a và Héc-xê-gô-vi-na|Bô-xni-a Héc-xê-gô-vi-na|Bốt-xni-a và Héc-dê-gô-vi-na|ボスニアヘルツェゴビナ|波士尼亞及赫塞哥維納|ボスニア・ヘルツェゴビナ共和国
BB Bác-ba-đốt|Bác-ba-đót|Bác-ba-đôx
BD بنغلادش|Băng-la-đét|Băng-la-đesh
BF بوركينا فاصو|Buốc-ki-na Pha-xô|Burquina|Burquina Fasso
BG Bun-ga-ri|Bun-ga-ri-a|Bảo Gia Lợi|Bua-ga-ri
BH Ba-ranh|Ba-rên
BJ Bê-nanh|Bê-nin
BL サンバルテルミ|Сен-Бартельми|圣巴泰勒米岛
BM Бермуды|バーミューダ|Béc-mu-đa|Be-mu-đa
BN Bru-nây|Bru-nây Đa-rút-xa-lam|브루나이 다루살람|ब्रुनेई दारुस्सलाम
BO Bô-li-vi-a|Bô-li-vi|玻利維亞
BQ Бонайре, Синт-Эстатиус и Саба|Bonaire, Sint Eustatius en Saba|بونير وسانت يوستاتيوس وسابا|ボネール、シント・ユースタティウス及びサバ|博奈尔、圣尤斯特歇斯岛和萨巴|波內赫、聖尤斯特歇斯及薩巴|बोनैर, सिंट यूस्टेटियस और साबा
BR Bra-xin|Ba Tây
BS Ba-ha-mát|Ba-ha-ma
BT Bu-tan
BV 布维群岛|布維群島
BW Bốt-xoa-na|博兹瓦那
BY روسيا البيضاء|Vitryssland|Bê-la-rút|Bê-la-rút-xi-a|Bạch Nga|Bielo-Rússia
BZ Bê-li-xê
CA Ca-na-đa|Gia Nã Đại
CC Quần đảo Cô-cốt|Quần đảo Cô-cô
CD Công-gô|Cộng hòa Dân chủ Công-gô|Republik Demokrat Kongo|Republik Demokrat Congo
CF 中非|Cộng hòa Trung Phi
CG Công-gô|コンゴ
CH Thụy Sĩ|瑞士邦聯|स्विस कॉन्फेडरेशन
CI Bờ Biển Ngà|Cốt-đi-voa|Pantai Gading|कोट डी वोआर|कोटे डी आइवोयर
CK Quần đảo Cúc
CL Chi-lê|Trí Lợi|Cili
CM Ca-mơ-run
CN चीनी जनवादी गणराज्य|Trung Hoa|Cộng hòa Nhân dân Trung Hoa|Cộng hòa Nhân dân Trung Quốc
CO Cô-lôm-bi-a|Cô-lôm-bia
CR Cốt-xta Ri-ca|Cô-xta Ri-ca|कोस्टा रिका
CV Cáp-ve|Cáp Ve|カーボヴェルデ|काबो वर्डे|केप वर्डे
CW 古拉索|कुराकाओ
CX Weihnachtsinseln|Đảo Giáng Sinh
CY Đảo Síp
CZ चेक गणराज्य|Tiệp
DJ Gi-bu-ti|Jibouti
DM ドミニカ|Đô-mi-ni-ca
DO Đô-mi-ni-ca-na|Cộng hòa Đô-mi-ni-ca-na
DZ An-giê-ri|An-giê-ri-a
EC Ê-cu-a-đo|Ê-cu-a-đoa
EE E-xtô-ni-a|Ê-xtô-ni-a
EG Arab Republic of Egypt|Republik Arab Mesir|Cộng hòa A-rập Ai Cập|埃及阿拉伯共和國|अरब रिपब्लिक ऑफ इजिप्ट|इजिप्ट
ER Ê-ri-tơ-rê-a|E-ri-tơ-ri-a|Ê-ri-tơ-ri-a
ET Ê-ti-ô-pi-a|Ê-ti-ô-pia
FI Phần Lan
FJ Phi-gi|Phi-ji
FK جزر فولكلاند|Quần đảo Phoóc-len|Quần đảo Man-vi-nát
FM ولايات ميكرونيزيا الموحدة|Mi-crô-nê-xi-a|Mikronezya Federe Devletleri|माइक्रोनेशिया के संघीकृत राज्य
FO Quần đảo Pha-rô
FR 法蘭西共和國|Pháp quốc|फ्रेंच रिपब्लिक|फ्रांसीसी गणराज्य
GB Соединённое Королевство|Объединённое Королевство|Britania Raya|Kerajaan Bersatu Britania Raya dan Irlandia Utara|Förenade kungariket|Förenade kungariket Storbritannien och Nordirland|대영제국|Vương quốc Anh thống nhất|Vương quốc Liên hiệp Anh và Bắc Ai-len|大不列顛及北愛爾蘭聯合王國|यूनाइटेड किंगडम|यूनाइटेड किंगडम ऑफ ग्रेट ब्रिटेन एंड नॉर्दर्न आयरलैंड|ग्रेट ब्रिटेन|Vương quốc Thống nhất Anh và Bắc Ái Nhĩ Lan
GD Grê-na-đa
GE Gru-di-a|Gi-oóc-gi-a|グルジア|Gi-oa-gi-a
GF Französisch-Guyana|Guyana Perancis|法屬蓋亞那|Ghi-a-na thuộc Pháp|Guy-an thuộc Pháp|फ़्रांसीसी गुयाना|Ghi-a-na Pháp
GG 根息島|Gơn-xi|جويرنزي|جيرنسي
GH Ga-na
GI Gi-bran-ta
GL Đảo Băng|Grin-len
GM Găm-bi-a
GN Ghi-nê
GP Goa-đê-lốp|Gua-đê-lúp|جوادالوب
GQ Ghi-nê Xích Đạo|भूमध्यरेखीय गिनी
GR ギリシア|الجمهورية الهلنستية|الجمهورية الهيلينية|هيلاس|हेलेनिक रिपब्लिक
GS South Georgia und die Südlichen Sandwichinseln|Южная Джорджия и Южные Сандвичевы острова|サウスジョージア及びサウスサンドウィッチ諸島|南乔治亚岛和南桑德韦奇岛|南喬治亞及南三明治群島|Sydgeorgien och södra Sandwichöarna
GT Goa-tê-ma-la|瓜地马拉
GU جوام|Gu-am
GW Ghi-nê Bít-xao|Ghi-nê Bi-xau
GY Guy-a-na|Gai-a-na
HK हाँग काँग|홍콩, 중국의 특별 행정구|홍콩 중국 특별행정구|Särskilda administrativa regionen Hong Kong inom Kina|Miền Quản lý Đặc biệt Hồng Kông của Trung Quốc|Hông Kông|Hồng Công
HM Heardeiland en McDonaldeilanden|ハード島及びマクドナルド諸島|赫德岛与麦克唐纳群岛|赫德島及麥當勞群島
HN Hôn-đu-rát|Hôn-đu-ra-xơ
HR Crô-a-ti-a|Cờ-rô-a-ti-a
HT Ha-i-ti
HU Hongaria|Hung-ga-ri|Hung Gia Lợi
ID In-đô-nê-xi-a|Nam Dương|Negara Kesatuan Republik Indonesia|印度尼西亞
IE Ai-len|Ái Nhĩ Lan
IL I-xra-en
IM آيل أوف مان|آيزل أف مان|曼岛|曼島|Đảo Man
IN Ấn-độ
IO Wilayah Samudra Hindia Britania|英国インド洋領土|Brittiskt territorium i Indiska Oceanen|مقاطعة المحيط الهندي البريطانية|ब्रिटिश हिंद महासागर क्षेत्र
IQ I-rắc|ईराक़
IR I-ran|Ba Tư|Cộng hòa Hồi giáo I-ran|इरान
IS Ai-xơ-len|Băng Đảo
IT I-ta-li-a|Ý Đại Lợi|Ý|इटालियन रिपब्लिक
JE Giơ-xi|Gioóc-xi
JM Gia-mai-ca|Ha-mai-ca
JO Gioóc-đa-ni|Gi-oóc-đan|Reino Hachemí de Jordania|ヨルダン・ハシェミット王国|約旦哈什米王國|Gi-oa-đanh
JP Nhật
KE Kê-ni-a|Khi-ni-a
KG Cư-rơ-gư-xtan|キルギスタン|吉尔吉斯坦|قيرغزستان|الجمهورية القيرغيزية|Quirgistão|किरगीज़
KH Căm-pu-chia|Căm Bốt|Cam Bốt|Cao Miên
KM Cô-mo|Comorerna|Quần đảo Cô-mo|Cô-mô-rô-xơ
KN Sankt Kitts och Nevis|Xanh Kít và Nê-vít|Xan-kít và Nê-vi
KP Bắc Hàn|Cộng hòa Dân chủ Nhân dân Triều Tiên|جمهورية كوريا الشعبية الديموقراطية|डेमोक्रेटिक पीपल्स रिपब्लिक ऑफ कोरिया|डेमेक्रेटिक पीपल्स रिपब्लिक ऑफ कोरिया|Cộng hoà Nhân dân Dân chủ Bắc Hàn
KR Nam Hàn|Nam Triều Tiên|Đại Hàn Dân Quốc|Cộng hòa Nam Hàn
KW Cô-oét
KY جزر الكيمان|Quần đảo Cây-man
KZ Ca-dắc-xtan|Ka-dắc-xtan
LA 寮人民民主共和國|寮國|Ai Lao|لاو|लाओ|लाओ पीपल्स डेमोक्रेटिक रिपब्लिक
LB Li-băng|लेबनीज़ रिपब्लिक
LC Sankt Lucia|圣路西亚|Xan Lu-xi|Xanh Lu-xi-a
LI ليشتنشتاين|Lích-ten-xten|Lích-ten-xtên|लिक्टेन्स्टाइन|लिकटेंस्टीन
LK Xri Lan-ca|Tích Lan|श्री लंका
LR Li-bê-ri-a
LS Lê-xô-thô
LT لثوانيا|Lít-va|Li-tu-a-ni-a
LU Lúc-xăm-bua|Lục Xâm Bảo|लक्ज़मबर्ग
LV Lát-vi-a
LY Li-bi
MA Ma-rốc|Mô-rốc-cô|Mo-ro-cô
MC Mô-na-cô
MD Môn-đô-va|Mon-đô-va|Moldau
ME المنتنيغرو|Môn-tê-nê-grô
MF São Martim (parte francesa)|聖馬丁 (法屬)|Xanh Mác-tanh
MG Ma-đa-gát-xca|Ma-đa-ga-xca
MH Marşal Adaları|Quần đảo Mác-san|Quần đảo Ma-san
MK उत्तर मैसेडोनिया|उत्तरी मैसेडोनिया
ML Ma-li
MM Mi-an-ma|Miến Điện
MO मकाउ|마카오, 중국의 특별 행정구|마카오 중국 특별행정구|Särskilda administrativa regionen Macao inom Kina|مكاو|Ma-cao
MP Острова северной Марианы|Quần đảo Bắc Ma-ri-a-na|北馬里亞納群島|नॉरदर्न मारियाना आइलैंड्स|नॉर्दर्न मारियाना आइलैंड्स
MQ Mác-ti-ních
MR Mô-ri-ta-ni
MS مونتسيرات|蒙塞拉特岛|蒙塞拉特島|Môn-xê-rát
MT مالطة|马尔他|馬爾他|Man-ta
MU Maurizio|Mô-ri-xơ|Mô-ri-xi-út
MV Man-đi-vơ
MW Ma-la-uy|मालावी
MX Förenade mexikanska staterna|墨西哥合眾國|Mê-hi-cô|Mễ Tây Cơ|Estados Unidos do México|यूनाइटेड मेक्सिकन स्टेट्स
MY Ma-lai-xi-a|Mã Lai
MZ Mô-dăm-bích
NA Na-mi-bi-a
NC نيو قلدونيا|Niu Ca-lê-đô-ni-a|Tân Đảo
NE Ni-giê
NF Norfolköarna|Đảo Noóc-phoóc
NG Ni-giê-ri-a
NI نيكاراجوا|Ni-ca-ra-goa
NL Hoà Lan
NP Nê-pan
NR Na-u-ru|नौरु|नाउरु
NU 紐埃|Nioué|Ni-u-ê|निउए
NZ نيوزيلاندا|Niu Di-lân|Niu Di-len|Tân Tây Lan|Niu Xi-lân
OM Sultanat Oman|오만 이슬람왕국|Vương quốc Hồi giáo Ô-man
PA Pa-na-ma
PE 祕魯|Pê-ru
PF Pô-li-nê-xi thuộc Pháp|Pô-li-nê-xi-a thuộc Pháp|法属玻利尼西亚|بولينيسيا الفرنسية|फ़्रांसीसी पॉलिनेशिया
PG Pa-pua Niu Ghi-nê|Pa-pu-a Niu Ghi-nê|Papua Nieuw Guinea
PH Phi-líp-pin|Phi Luật Tân
PK Pa-ki-xtan
PL Ba Lan
PM サンピエール及びミクロン|São Pedro e Miquelon|Sankt Pierre och Miquelon|聖皮耶及密克隆群島|Xanh Pi-e và Mi-cơ-lông|سانت بيير وميكيلون|साँ-प्येर और मीकेलों|सेंट पियरे और मिकलोन
PN Питкэрн|ピトケアン|皮特克恩|皮特肯島|بتكيرن
PR Pu-éc-tô Ri-cô|प्युर्तो रिको
PS Pa-le-xtin|पैलेस्टाइन
PT Portugisiska republiken|पोर्टुगीज़ रिपब्लिक|पुर्तगाली गणराज्य
PW Pa-lau|पलाउ
PY Pa-ra-goay
QA Ca-ta
RE 留尼旺島|Rê-uy-ni-ông
RO Ru-ma-ni|Rô-ma-ni|Lỗ Ma Ni
RS صربية|Xéc-bi|Xéc-bi-a
RU Liên bang Nga|रशियन फेडरेशन|रशियन फेडेरशन|रशिया
RW Ru-an-đa|Руандийская Республика
SA A-rập Xê-út|A-rập Xau-đi|सउदी अरबिया|सऊदी अरेबिया
SB Salomoninseln|جزر سولومن|Quần đảo Xô-lô-môn|Quần đảo Xô-lô-mông
SC Сейшелы|Xây-sen|Xây-xen
SD Xu-đăng
SG Cingapura|Xin-ga-po|Tân Gia Ba
SH ساينت هيلينا|Xanh Hê-len|Xan Hê-lê-na|圣赫勒拿-阿森松-特里斯坦达库尼亚|セントヘレナ、アセンション及びトリスタン・ダ・クーニャ|세인트헬레나 어센션 트리스탄다쿠냐|सेंट हेलेना, असेंशन और त्रिस्तान दा कुन्हा
SI Xlô-ven-ni-a|Xlô-vê-ni-a|Xlô-ven
SJ スヴァールバル及びヤンマイエン|斯瓦尔巴特和扬马延岛|冷岸群島及央棉
SK Slowakia|Xlô-va-ki-a|Xlô-vác
SL Xi-ê-ra Lê-ôn|Xi-ê-ra Lê-ôn-nê
SM Xan Ma-ri-nô|São Marino
SN Xê-nê-gan
SO Xô-ma-li|Xo-ma-li
SR Xu-ri-nam|Xu-ri-na-me
SS Nam Xu-đăng|साउथ सूडान
ST Xao Tô-mê và Prin-xi-pê|聖多美及普林西比|साओ तोमे और प्रिन्सिपी|साओ टोम एंड प्रिंसिप
SV En Xan-va-đo
SX São Martim (parte holandesa)|聖馬丁 (荷屬)|Xin Mác-ten
SY Syriska arabrepubliken|Cộng hòa A-rập Xi-ri|Xi-ri|Xi-ri-a|敘利亞阿拉伯共和國|阿拉伯叙利亚共和国|सीरियन अरब रिपब्लिक
SZ Xoa-di-len|Ét-xoa-ti-ni
TC Острова Туркс и Каикос|タークス及びカイコス諸島|土克凱可群島|Quần đảo Tuốc và Cai-cốt|جزر الترك والكايكوس
TD Sát|चैड
TF Franse Zuidelijke Gebieden|Territorios Franceses del Sur|Territori francesi meridionali|Francuskie Terytoria Południowe|Fransız Güney Bölgeleri|Французские Южные Территории|المقاطعات الفرنسية الجنوبية|フランス南方領土|フランス領南方領土|法属南半球领地|프랑스령 남 자치구역
TG Tô-gô|Тоголезская Республика
TH 타일랜드
TJ Tát-gi-ki-xtan
TK 托克勞|Tô-kê-lau
TL Timor Timur|Republik Demokrat Timor Timur|Đông Ti-mo|Ti-mo Lét-xtê|तिमोर-लेस्टे|تيمور-ليستي
TM Tuốc-mê-ni-xtan
TN Tuy-ni-di|Tuy-ni-di-a|Tu-ni-xi-a
TO Tông-ga
TR Thổ
TT Tri-ni-đát và Tô-ba-gô|特里尼达和多巴哥|Trinh-i-đat và To-ba-gô
TV Tu-va-lu
TW 中国台湾省|中國臺灣省|中国領・台湾|타이완|臺灣|Китайская провинция Тайвань|Taiwan, provins i Kina|타이완, 중국령|Đài Loan, Tỉnh Trung Quốc
TZ Tan-da-ni-a|タンザニア連合共和国|तंज़ानिया
UA U-crai-na|U-cờ-rai-na
UG U-gan-đa
UM アメリカ合衆国外諸島|Kepulauan Terluar Kecil Amerika Serikat|美屬邊疆群島|Quần đảo nhỏ ở xa của Mỹ|جزر الولايات المتحدة الصغرى النائية
US 米国|美利堅合眾國|الولايات المتحدة الأميركية|Hợp chúng quốc Hoa Kỳ|Hiệp chúng quốc Hoa Kỳ|संयुक्त राज्य अमेरिका|संयुक्त राज्य अमरीका
UY Östra republiken Uruguay|Republik Timur Uruguay|동 우루과이 공화국|烏拉圭東共和國|U-ru-goay|Đông U-ru-guay|U-ru-guay
UZ U-dơ-bê-ki-xtan
VA Takhta Suci Vatican|Va-ti-căng|Tòa Thánh Va-ti-căng|教廷|梵地冈|바티칸 시티|المقعد المقدس|الكرسي الرسولي
VC Sankt Vincent och Grenadinerna|聖文森及格瑞納丁|Xanh Vin-xen và Grê-na-đin
VE Vê-nê-xu-ê-la|Vê-nê-du-ê-la|Bo-li-va-ri Vê-nê-xu-ê-la
VG İngiliz Virgin Adaları|영국령 버진 제도|버진 제도, 영국령|Kepulauan Virgin Inggris|Quần đảo Viếc-gin thuộc Anh|جزر فيرجن البريطانية|Quần đảo Vơ-chin Anh|Quần đảo Vơ-chin thuộc Anh
VI Îles Vierges des États-Unis d'Amérique|Îles Vierges des États-Unis|Isole Vergini, U.S.A.|Isole Vergini statunitensi|Virgin Adaları, A.B.D.|Американские Виргинские острова|Виргинские острова (США)|미국령 버진 제도|버진 제도, 미국령|美属维京群岛|Quần đảo Viếc-gin thuộc Mỹ|جزر فيرجن الأميركية|वर्जिन आइलैंड्स, यू.एस.|वर्जिन आइलैंड्स ऑफ द यूनाइटेड स्टेट्स|Quần đảo Vơ-chin Mỹ|Quần đảo Vơ-chin thuộc Mỹ
VN الفييتنام|Việt-nam
VU Va-nu-a-tu|वानूआटू
WF Уоллис и Футуна|ワリー及びフテュナ|沃里斯及伏塔那群島|Oa-lít và Phu-tu-na|वालिस और फ्यूटुना
WS صاموا|Xa-moa|Xa-mô-a
YE Y-ê-men
YT मेयोट
ZA Южная Африка|Nam Phi|साउथ अफ्रीका
ZM Dăm-bi-a|Xam-bi-a
ZW زمبابوي|Dim-ba-bu-ê|Xim-ba-bu-ê`;

export const FURTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.split("\n").map((line) => [line.slice(0, 2), line.slice(3).split("|")]),
);
