/**
 * Words of tasks in German, Spanish, French and Chinese, with the English words of the catalogue. One concept a line:
 * English, then beginnings of words in any of the languages, without accents. Compound terms contain a "_".
 */
const CONCEPTS = `
public holiday: feiertag feiertage festivo feriado dias_festivos ferie jour_ferie jours_feries 假日 节假日 節假日 假期 放假 公休 公众假期 法定节日
business day working day: werktag arbeitstag bankarbeitstag geschaftstag laborable dia_habil dias_habiles jour_ouvre jours_ouvres jour_ouvrable jours_ouvrables ouvre ouvrable 工作日 营业日 營業日
weekend: wochenende fin_de_semana week_end 周末 週末
deadline due date: frist fallig plazo vencimiento echeance delai 截止 期限
country: land staat pais pays 国家 國家
country code calling code: landervorwahl vorwahl landercode prefijo codigo_de_pais indicatif code_pays 国家代码 區號 区号 国际区号
capital: hauptstadt capitale 首都
language: sprache idioma langue 语言 語言
flag emoji: flagge bandera drapeau 国旗 國旗
border country: nachbarlander grenzt fronteras limitrofes frontieres voisins 邻国 接壤
exchange rate: wechselkurs umrechnungskurs devisenkurs tipo_de_cambio tasa_de_cambio taux_de_change cours_de_change 汇率 匯率
convert currency exchange rate: wahrungsrechner wahrung divisa moneda monnaie devise 货币 貨幣 换算货币 兑换 兌換 兑
dollar: dolar dollars 美元
euro: euros 欧元 歐元
yen: yenes 日元 日圓
convert: umrechnen umwandeln umwandlung konvertieren rechne convertir conversion pasar 转换 轉換 换算 換算 转成 转为 轉為
unit convert: einheit einheiten unidades unites 单位 單位
kilogram: kilogramm kilo kilogramos kilos kilogrammes 公斤 千克
pounds: pfund libras livres 磅
gram: gramm gramos grammes 克
ounce: unze unzen onzas onces 盎司
miles: meile meilen millas milles 英里
kilometers: kilometer kilometros kilometres 公里 千米
meters: meter metros metres 米
feet inch: fuss zoll pies pulgadas pieds pouces 英尺 英寸
celsius fahrenheit temperature: temperatur temperatura grados degres 摄氏 攝氏 华氏 華氏
gallons liters: gallonen litros galones litres gallons 加仑 升
acres hectares: hektar hectareas acre 公顷 英亩 英畝
weather: wetter clima tiempo meteo 天气 天氣
forecast: vorhersage prognose pronostico prevision prevue 预报 預報
airport: flughafen flugplatz aeropuerto aeroport 机场 機場
airport weather metar: flughafenwetter wetter_am_flughafen tiempo_en_el_aeropuerto meteo_aeroport meteo_de_l_aeroport 机场天气 機場天氣
nearest: nachste nachster nachstgelegen cercano cercana mas_cerca proche plus_proche 最近的 附近
aircraft plane: flugzeug avion aeronave 飞机 飛機
tail number registration: kennzeichen matricula immatriculation 注册号 註冊號 机尾号
owner: besitzer eigentumer halter propietario dueno proprietaire 所有者 机主 拥有者
accident crash: unfall unfalle absturz abgesturzt accidente accidentes accident 事故 坠机 墜機 空难
turbulence warning hazard sigmet: turbulenz turbulenzen turbulencia turbulencias turbulences 颠簸 湍流 乱流
icing hazard: vereisung engelamiento givrage 结冰 積冰
pilot: piloten pilotos pilotes 飞行员
drought: durre trockenheit sequia secheresse 干旱 旱情 乾旱
corn crop: mais maiz maisernte 玉米
wheat crop: weizen trigo ble 小麦 小麥
crop harvest: ernte weizenernte getreide ernteertrag cosecha cultivo recolte 农作物 收成 产量 農作物
cattle farm: rinder vieh ganado betail 牛 牲畜
farm agriculture: landwirtschaft agricultura agricole 农业 農業
bank: banco banque bancos 银行 銀行
insured fdic: einlagensicherung versichert asegurado assure 存款保险 投保
sanctions screening: sanktion sanktionen sanktionsliste sanciones sancionado sanction sanctionne 制裁
company business: firma unternehmen gesellschaft empresa sociedad entreprise societe 公司 企业 企業
business registry company: handelsregister registro_mercantil registre_du_commerce 工商 公司登记
legal entity identifier lei: lei_code rechtstrager 法人识别码 法人机构
owner subsidiary parent lei hierarchy: mutterkonzern tochtergesellschaft matriz filial maison_mere filiale 母公司 子公司
industry naics: branche branchencode industria sector secteur 行业 行業
qr code: qr_code qr_codes codigo_qr code_qr 二维码 二維碼 qr码
barcode: strichcode balkencode codigo_de_barras code_barres codes_barres code_a_barres 条形码 条码 條碼
wifi qr: wlan wi_fi 无线网络 無線
business card vcard: visitenkarte tarjeta_de_visita carte_de_visite 名片
countdown timer: zahler cuenta_atras cuenta_regresiva temporizador compte_a_rebours minuteur 倒计时 倒數計時 倒计 倒數
email newsletter: correo courriel 邮件 郵件 电子邮件
gene: gen gens genes genetik 基因
protein: eiweiss proteine proteina 蛋白质 蛋白質 蛋白
amino acid sequence: aminosaure aminosauren aminoacido aminoacidos acide_amine acides_amines 氨基酸
species: tierart pflanzenart spezies tierarten especie espece 物种 物種
scientific name latin name: wissenschaftlich wissenschaftlicher_name lateinischer cientifico scientifique nom_latin 学名 學名
animal: tier animales animaux 动物 動物
plant: pflanze planta plante 植物
unemployment rate: arbeitslosenquote arbeitslosigkeit arbeitslos desempleo paro chomage 失业率 失業率 失业
inflation consumer price index: inflationsrate verbraucherpreis verbraucherpreisindex inflacion ipc precios_al_consumidor prix_a_la_consommation 通货膨胀 通脹 消费者价格 物价
wages labor: lohne gehalter salarios salaires 工资 薪资
book: buch bucher libro libros livre livres roman 书 图书 書籍 书籍
author: autor autora auteur schriftsteller escritor ecrivain 作者 作家
earnings report: quartalszahlen geschaftszahlen resultados_trimestrales ganancias resultats_trimestriels resultats_financiers 财报 財報 业绩 盈利
stock: aktie aktien acciones bolsa actions bourse 股票
ipo initial public offering: borsengang borsengange neuemission salida_a_bolsa salidas_a_bolsa introduction_en_bourse introductions_en_bourse 上市 首次公开募股 新股
population: einwohner bevolkerung poblacion habitantes population habitants 人口
median income census: einkommen ingresos renta revenu revenus 收入
zip code: postleitzahl codigo_postal code_postal 邮编 邮政编码 郵遞區號
demographics census: demografie volkszahlung censo demografia demographie recensement 人口普查 人口统计
county: landkreis bezirk condado comte 县
molecule compound: molekul verbindung molecula compuesto molecule compose 分子 化合物
chemical formula molecular: chemisch chemie summenformel quimica quimico formula_quimica formule_chimique chimie chimique 化学式 化學 化学 分子式
caffeine: koffein cafeina cafeine 咖啡因
traditional chinese: traditionell tradicional traditionnel 繁体 繁體 繁体字 繁體字
simplified chinese: vereinfacht simplificado simplifie 简体 簡體 简体字 簡體字
chinese: chinesisch chino chinois 中文 汉字 漢字 汉语
pinyin pronounce: aussprache ausspricht pronunciar pronunciacion prononcer prononciation 拼音 发音 發音 注音
detect script: erkennen detectar detecter 识别 識別 检测 检测文字
historical weather: wetterdaten historische_wetterdaten datos_meteorologicos historico_del_tiempo donnees_meteo historique_meteo 历史天气 歷史天氣
rainfall precipitation: niederschlag regen lluvia precipitaciones pluie precipitations 降雨 降雨量 降水
weather station: wetterstation estacion_meteorologica estaciones_meteorologicas station_meteo stations_meteo 气象站 氣象站
clinical trial study: studie klinisch ensayo ensayo_clinico clinico clinique essai 临床试验 臨床試驗 临床 试验
recruiting patients: rekrutierend patienten reclutando pacientes recrutement 招募 患者
disease cancer: krankheit krebs brustkrebs enfermedad cancer_de_mama maladie cancer_du_sein 疾病 癌症 乳腺癌
diabetes: diabetes 糖尿病
github repository: repositorium quellcode repositorio codigo_fuente depot 代码仓库 仓库 开源
license: lizenz licencia licence 许可证 許可
stars: sterne estrellas etoiles 星标
credit rating: bonitat kreditrating calificacion_crediticia notation_de_credit notation 信用评级 评级
country risk premium: landerrisiko risikopramie prima_de_riesgo riesgo_pais prime_de_risque risque_pays 国家风险 风险溢价 主权风险
wallet address: adresse wallet_adresse direccion billetera cartera portefeuille 地址 钱包 錢包
validate check verify: gultig prufen uberprufen valide valida validar verificar comprobar valable verifier 有效 验证 驗證 校验 检查
bitcoin: 比特币 比特幣
ethereum: 以太坊
litecoin: 莱特币
token price coin: krypto kryptowahrung criptomoneda cryptomonnaie 加密货币 代币 币价
transaction fee gas: gebuhr gebuhren transaktionsgebuhr comision tarifas frais 手续费 手續費 矿工费
balance: kontostand guthaben saldo solde 余额 餘額
transaction: transaktion transaccion 交易
many calls at once batch: mehrere_anfragen mehrere_aufrufe mehrere varias_llamadas varias_peticiones varias plusieurs plusieurs_appels plusieurs_requetes 批量 多个请求 一次付款
payment: zahlung bezahlung pago paiement 付款 支付
translate: ubersetzen ubersetzung traducir traduccion traduire traduction 翻译 翻譯
summarize: zusammenfassen zusammenfassung resumir resumen resumer resume_de 摘要 总结 總結
sentiment: stimmung stimmungsanalyse sentimiento opinion 情感 情绪
screenshot: bildschirmfoto captura_de_pantalla capture_d_ecran 截图 截圖 网页截图
image generate: bild bilder imagen image_de 图片 生成图片 圖片
ocr text from image: texterkennung reconocimiento_de_texto reconnaissance_de_texte 文字识别
patent: patente brevet 专利
property house: immobilie immobilien haus vivienda inmueble immobilier maison 房产 房价
earthquake: erdbeben terremoto sismo seisme tremblement_de_terre 地震
ship vessel: schiff barco buque navire bateau 船舶
flight: flug vuelo vol 航班
news: nachrichten noticias nouvelles actualites 新闻 新聞
law court: gericht urteil tribunal sentencia jugement 法院 判决
drug medicine: medikament arzneimittel medicamento medicament 药物 药品
domain dns: domain dominio domaine 域名
timezone time: zeitzone uhrzeit zona_horaria fuseau_horaire 时区
distance: entfernung abstand distancia 距离
tax: steuer umsatzsteuer impuesto impot tva 税
price: preis precio prix 价格 價格
germany: deutschland alemania allemagne 德国
france: frankreich francia 法国
spain: spanien espana espagne 西班牙
united states usa: vereinigte_staaten estados_unidos etats_unis 美国
china: chine 中国
japan: japon 日本
`;

/** Function words of the languages: they identify the language of a task and say nothing about its subject. */
const SMALL_WORDS = new Set(
  `der die das den dem des ein eine einen einem einer eines ist sind im am auf aus bei bis fur mit nach von vom zu zum zur und
  oder wie was wo wann wer welche welcher welches welchen viele viel ich mir man kann gibt es alle allen uber mein meine diese
  dieser dieses einem wurde hat nicht mich bitte zeige finde suche berechne in an
  el la los las un una unos unas del al en con por para que cual cuales cuando donde como quien son esta este hay mi su se lo
  cuanto cuantos cuanta cuantas si no me quiero buscar encontrar de y o
  le les une du au aux dans sur pour par avec est sont quel quelle quels quelles quand ou comment qui ce cette mon ma mes sa et
  il combien je veux trouver chercher d l a c n s`.split(/\s+/),
);

const HAN = /\p{Script=Han}/u;
/** Shorter beginnings must match whole words, and count only if other words show that the task is not in English. */
const SURE_LENGTH = 6;

interface Entry {
  key: string;
  english: string;
}

/** The beginnings of words, longest first: Chinese ones, and all others. */
export function readGlossary(): { han: Entry[]; latin: Entry[] } {
  const entries = CONCEPTS.trim()
    .split("\n")
    .flatMap((line) => {
      const [english = "", keys = ""] = line.split(": ");
      return keys.split(" ").map((key) => ({ key: key.replaceAll("_", " "), english }));
    })
    .sort((a, b) => b.key.length - a.key.length);
  return { han: entries.filter(({ key }) => HAN.test(key)), latin: entries.filter(({ key }) => !HAN.test(key)) };
}

/**
 * A task with the English words of the glossary added; unknown words and English tasks stay unchanged. Unless another
 * language is evident, words of the catalogue count as English.
 */
export function toEnglish(
  query: string,
  glossary: ReturnType<typeof readGlossary>,
  isKnown: (word: string) => boolean,
): string {
  const english: string[] = [];
  let rest = ` ${plainWords(query)} `;
  const isForeign =
    /[^ -~\s]/.test(query) || rest.split(" ").some((word) => SMALL_WORDS.has(word) && !ENGLISH_TOO.has(word));
  const take = (found: RegExp | string, translation: string) => {
    rest = rest.replace(found, (words) => {
      if (!isForeign && isKnown(words.trim())) return words;
      english.push(translation);
      return " ";
    });
  };

  if (HAN.test(rest)) for (const { key, english } of glossary.han) take(key, english);
  for (const { key, english } of glossary.latin) {
    if (key.length < SURE_LENGTH && !isForeign) continue;
    if (rest.includes(key)) take(wordsWith(key), english);
  }
  if (english.length === 0) return query;
  const kept = rest.split(" ").filter((word) => word !== "" && !HAN.test(word) && !SMALL_WORDS.has(word));
  return [...english, ...kept].join(" ");
}

/** The words of a text in lower case, without accents and punctuation. */
const plainWords = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}.]+/gu, " ");

/** Finds a short key as a whole word, a longer one as its beginning, the longest also inside a compound. */
function wordsWith(key: string): RegExp {
  const inside = key.length >= SURE_LENGTH && !key.includes(" ") ? "\\S*" : "";
  const ending = key.length >= SURE_LENGTH - 1 ? "\\S*" : "";
  return new RegExp(` ${inside}${key}${ending}(?= )`, "u");
}

/** Function words that are also English words. */
const ENGLISH_TOO = new Set(
  "in an a was die man me no so is as on son c d l n s si or do war hat ma mes pour am".split(" "),
);
