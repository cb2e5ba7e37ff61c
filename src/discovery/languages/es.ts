/** Spanish words of each subject (see words.ts for their form). */
export const words = `
.: el la los las un una unos unas del al de en con por para que qué cuál cuáles cuándo dónde como cómo quien quién son está este esta es hay mi mis su se lo cuánto cuántos cuánta cuántas si no me quiero y o entre a desde hasta hacer desde número
check: verific valid comprob correct revis
convert: convert transform pasar
create: crear gener escrib hacer_un
read: leer lectura escanear
find: encontr busc hallar
search: busc búsqueda
list: lista listar enumer ranking
count: contar número_de cuántos
compare: compar diferencia
delete: borr elimin quit
erase: borrar_todo eliminar_todo
everything: todo todos_mis completo
update: actualiz modific incrementar
cancel: cancel detener anular
status: estado cómo_va
get: obtener recuper descarg leer
put: guard almacen poner subir añadir meter
take: tomar coger sacar adquirir
return: devolver regresar
again: reenvi de_nuevo otra_vez reintent
send: envi mandar
extend: prolong extend ampli
release: liber soltar desbloque
several: varios varias muchas lista_de
split: divid separ trocear partir fragment
extract: extra sacar
describe: describ descrip texto_alternativo
classify: clasific categor etiquet
sort: orden
run: ejecut próxima_ejecución
now: ahora actual en_vivo
since: desde ocurrido
near: cerca próxim
change: cambi renov
notify: avis notific alert
call: llamad llamar
message: mensaje
words: palabras texto_completo
text: texto
document: documento
file: archivo fichero
image: imagen imágenes foto
word: word docx powerpoint
webpage: página_web sitio_web web página url
table: tabla
postal: dirección_postal postal señas
format: formato escribir_una_dirección
address: dirección
news: novedad noticia qué_ha_pasado
drought: sequía
harvest: cosecha agrícol cultivo trigo maíz
chat: chat convers charl
model: modelo ia inteligencia_artificial
council: opiniones debat consejo
names: nombres personas organizacion lugares entidades
draw: generar_imagen dibuj crear_una_imagen
moderate: moder odio ofensiv insult
ocr: reconocimiento_de_texto ocr reconocimiento_óptico escanead
personal: personal datos_personales
research: investig informe resumen_sobre
screenshot: captura_de_pantalla captura pantallazo
sentiment: sentimiento tono positiv
summarize: resum resúmen síntesis
translate: traduc
language: idioma inglés francés
websearch: en_internet en_la_web búsqueda_web
question: pregunta
aircraft: avión aviones helicóptero aeronave
registration: matrícula
owner: propietario dueño pertenece titular
airport: aeropuerto
code: código
accident: accidente siniestro
weather: clima tiempo_en tiempo_hace meteorolog
hazard: turbulencia engelamiento tormenta peligro ceniza
forecast: pronóstico previsión
bank: banco
insured: asegurado
statement: extracto_bancario extracto estado_de_cuenta
barcode: código_de_barras códigos_de_barras qr
batch: de_una_vez lote a_la_vez
gene: gen genes
protein: proteína
species: especie nombre_científico
unemployment: desempleo paro
inflation: inflación ipc salarios
book: libro novela
author: autor escritor
brazil: brasil
company: empresa compañía sociedad proveedor negocio
match: coincid identific
connecticut: connecticut
officers: directivo administrador director
sanctions: sancion
finland: finland finlandes
france: francia frances
ticker: símbolo_bursátil ticker
identifier: identificador isbn
diligence: diligencia expediente antecedentes
lei: lei entidad_jurídica entidad_legal
subsidiary: filial matriz
isin: isin
securities: valores bonos
industry: sector industria actividad_económica
norway: norueg
poland: polac polonia
usa: estados_unidos eeuu estadounid
registry: registro
britain: británic reino_unido inglater
workday: días_hábil día_hábil laborable
date: fecha días
earnings: resultados_trimestrales ganancias resultados
holiday: festivo feriado vacaciones
event: calendario evento ics
ipo: salida_a_bolsa salidas_a_bolsa opv salir_a_bolsa
population: población habitantes censo
income: ingreso renta
zip: código_postal
compound: molécul compuesto químic sustancia
formula: fórmula masa_molar peso_molecular
traditional: tradicional simplificad
chinese: chino
detect: detect saber_si
pinyin: pinyin pronunc
history: histórico historial pasad último_año evolución
rain: lluvia precipitac nieve
station: estación_meteorológica estación
trial: ensayo_clínico ensayos_clínicos clínic
details: detalle criterio
disease: enfermedad cáncer diabetes
repository: repositorio github código_fuente
exchange: tipo_de_cambio tasa_de_cambio cambio_de moneda divisa cotización
dollar: dólar euro peso libra_esterlina yen
unit: unidad kilómetro kilogramo kilo grados litro millas celsius
countdown: cuenta_atrás cuenta_regresiva temporizador
email: correo e_mail email
country: país
risk: riesgo
rating: calificación rating
capital: capital
calling: prefijo
transaction: transacción transacciones operación
wallet: billetera cartera monedero wallet
scam: estafa fraude peligros phishing segur
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: cripto criptomoneda crypto
balance: saldo
token: token
fee: comisión comisiones tarifa
mempool: mempool
waiting: espera pendiente sin_confirmar
utxo: utxo sin_gastar no_gastad
candle: vela
price: precio cotización valor_del
market: mercado bolsa plataforma
tvl: tvl valor_bloqueado
blockchain: blockchain cadena red
coin: moneda_digital coin
contract: contrato_inteligente contrato
calldata: calldata datos_de_llamada
decode: decodific descifr
defi: defi finanzas_descentralizadas
revenue: recaudac ingresos_de
yield: rendimiento rentabilidad
pool: pool liquidez
dex: dex descentralizad
trending: tendencia popular
ens: ens
fear: miedo codicia
gas: gas
capitalization: capitalización dominancia
kimchi: kimchi
korea: corea
funding: financiación funding
perpetual: perpetu
predict: próxim previst predich
cron: cron crontab
jwt: jwt token_de_acceso
signature: firma
license: licencia
regex: expresión_regular expresiones_regulares regex
version: versión versiones
markdown: markdown
domain: dominio
security: segur
edifact: edifact
edi: edi x12
spf: spf
loan: préstamo hipoteca crédito cuota amortización
interest: interés intereses
irr: tasa_interna_de_retorno tir van irr
investment: inversión
option: opción opciones
coordinates: coordenada latitud
distance: distancia lejos
area: área superficie
invoice: factura
json: json
path: ruta jsonpath
repair: repar arregl roto dañad
schema: esquema
lock: bloqueo candado cerrojo bloque
payment: pago transferencia
pdf: pdf
phone: teléfono móvil celular
label: etiqueta gs1
product: producto gtin
topic: tema tópico canal
delivery: entrega
publish: public
subscribe: suscrib suscripción
unsubscribe: cancelar_suscripción darse_de_baja desuscrib
acknowledge: confirm acus
queue: cola
dead: fallid muert rechazad
failed: fallid fallo
schedule: programar programad planific cada_hora tarea
vulnerability: vulnerabilidad cvss
severity: gravedad severidad
stored: guardad almacenad mi mis
condition: condicion filtr consulta
key: clave
value: valor
counter: contador increment
usage: espacio ocup uso_de
export: export
vector: vector embedding
similar: similar parecid semejan
redact: ocult anonimiz censur
timezone: zona_horaria huso
time: hora
feed: feed rss
robots: robots rastreador
iban: iban cuenta_bancaria
taxid: iva nif rfc identificación_fiscal fiscal
watch: vigil monitor alert
webhook: webhook
secret: secreto clave_de_firma
`;
