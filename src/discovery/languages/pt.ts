/** Portuguese words of each subject (see words.ts for their form). */
export const words = `
.: o a os as um uma do da dos das de em no na nos nas com por para que qual quais quando onde como quem são está este esta é há meu minha meus minhas seu se não me quero e ou entre desde até fazer quanto quantos quantas ao à pelo pela número isso
check: verific valid confer checar correto certo
convert: convert transform passar_de
create: criar gerar geração escrever cria
read: ler leitura digitaliz escanear
find: encontr busc achar localiz
search: busc pesquis procur
list: lista listar enumer ranking
count: contar número_de quantos quantas
compare: compar diferença
delete: apag exclu elimin remov delet
erase: apagar_tudo excluir_tudo eliminar_tudo
everything: tudo todos_os_meus completo
update: atualiz modific alter increment
cancel: cancel parar encerr
status: estado status situação
get: obter recuper baixar ler
put: guardar armazen salvar colocar adicionar pôr enviar_para_a_fila gravar
take: tomar pegar retirar obter adquirir
return: devolver
again: reenvi de_novo novamente outra_vez
send: envi mandar
extend: prolong estend prorrog
release: liber soltar libert
several: vários várias muitos lista_de
split: divid separ partir fragment
extract: extra tirar
describe: descrev descri
classify: classific categor
sort: orden
run: execut próxima_execução
now: agora atual ao_vivo
since: desde aconteceu
near: perto próxim
change: mud renov troc
notify: avis notific alert
call: chamad chamar
message: mensage
words: palavras texto_completo
text: texto
document: documento
file: arquivo ficheiro
image: image foto
word: word docx powerpoint
webpage: página_web página_da_web site página url
table: tabela
postal: endereço_postal postal morada
format: formato escrever_um_endereço formatar
address: endereço
news: novidade notícia o_que_aconteceu
drought: seca estiagem
harvest: colheita safra agríc agricult milho soja trigo
chat: chat convers
model: modelo ia inteligência_artificial
council: opiniões debat conselho
names: nomes pessoas organizaç lugares entidades
draw: gerar_imagem desenh criar_uma_imagem
moderate: moder ódio ofensiv insult
ocr: reconhecimento_de_texto ocr reconhecimento_ótico digitaliza
personal: pessoa dados_pessoais lgpd
research: pesquisa_sobre relatório dossiê_sobre
screenshot: captura_de_tela captura_de_ecrã captura print
sentiment: sentimento tom positiv
summarize: resum
translate: traduz tradu
language: idioma língua inglês
websearch: na_internet na_web pesquisa_na_web
question: pergunta
aircraft: avião aviões helicóptero aeronave
registration: matrícula prefixo_da_aeronave
owner: proprietário dono pertence
airport: aeroporto
code: código
accident: acidente queda_de_avi
weather: tempo_no clima meteorolog tempo_em
hazard: turbulência gelo tempestade perigo cinza
forecast: previsão previsões
bank: banco
insured: segurado garantia_de_depósito
statement: extrato
barcode: código_de_barras códigos_de_barras qr
batch: de_uma_vez lote ao_mesmo_tempo
gene: gene genes
protein: proteína
species: espécie nome_científico
unemployment: desemprego
inflation: inflação salários
book: livro romance
author: autor escritor
brazil: brasil cnpj
company: empresa companhia sociedade fornecedor
match: correspond identific
connecticut: connecticut
officers: diretor administrador sócio
sanctions: sanç sançõ
finland: finlând finland
france: franç franc
ticker: símbolo_da_ação ticker
identifier: identificador isbn
diligence: diligência dossiê antecedentes
lei: lei entidade_jurídica entidade_legal
subsidiary: filial subsidiári matriz controlador
isin: isin
securities: títulos valores_mobiliários
industry: setor indústria atividade_econômica
norway: norueg
poland: polon polac
usa: estados_unidos eua american
registry: registro registo
britain: britânic reino_unido inglaterra
workday: dias_úteis dia_útil
date: data dias
earnings: resultados_trimestrais balanço lucros resultados
holiday: feriado férias
event: calendário evento agenda ics
ipo: abertura_de_capital oferta_pública ipo
population: população habitantes censo
income: renda rendimento
zip: código_postal cep
compound: molécul composto químic substância
formula: fórmula massa_molar
traditional: tradicion simplificad
chinese: chin
detect: detect detet saber_se
pinyin: pinyin pronúnc pronunc
history: histórico história passad evolução
rain: chuva precipitaç neve
station: estação_meteorológica estação estações
trial: ensaio_clínico ensaios_clínicos clínic
details: detalhe critério
disease: doença câncer cancro diabetes
repository: repositório github código_fonte
exchange: taxa_de_câmbio câmbio moeda cotação_do_d cotação_do_euro divisa
dollar: dólar euro real reais libra_esterlina
unit: unidade quilômetro quilograma quilo graus litro milhas celsius
countdown: contagem_regressiva temporizador
email: e_mail email correio_eletr
country: país países
risk: risco
rating: classificação_de_crédito rating nota
capital: capital
calling: ddi indicativo código_do_país
transaction: transaç transação
wallet: carteira wallet
scam: golpe fraude perigos phishing segur burla
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: cripto criptomoeda crypto
balance: saldo
token: token
fee: taxa tarifa comissão
mempool: mempool
waiting: espera pendente não_confirmad
utxo: utxo não_gast
candle: vela candle
price: preço cotação valor_do
market: mercado bolsa corretora
tvl: tvl valor_bloqueado valor_travado
blockchain: blockchain cadeia rede
coin: moeda_digital coin
contract: contrato_inteligente contrato
calldata: calldata dados_de_entrada
decode: decodific descodific decifr
defi: defi finanças_descentralizadas
revenue: receita arrecad
yield: rendimento rentabilidade
pool: pool liquidez
dex: dex descentralizad
trending: tendência popular em_alta
ens: ens
fear: medo ganância
gas: gas gás
capitalization: capitalização valor_de_mercado dominância
kimchi: kimchi
korea: coreia
funding: financiamento funding
perpetual: perpétu
predict: previst próxim
cron: cron crontab
jwt: jwt token_de_acesso
signature: assinatura
license: licença
regex: expressão_regular expressões_regulares regex
version: versão versões
markdown: markdown
domain: domínio
security: segur
edifact: edifact
edi: edi x12
spf: spf
loan: empréstimo hipoteca prestaç financiamento_imobili parcela amortização
interest: juros
irr: taxa_interna_de_retorno tir vpl irr
investment: investimento
option: opção opções
coordinates: coordenada latitude
distance: distância longe
area: área superfície
invoice: fatura nota_fiscal
json: json
path: caminho jsonpath
repair: consert repar quebrad corromp
schema: esquema schema
lock: bloqueio trava cadeado bloque travar trave
payment: pagamento transferência pix
pdf: pdf
phone: telefone celular telemóvel
label: etiqueta gs1
product: produto gtin
topic: tópico canal
delivery: entrega
publish: public
subscribe: assinar inscrev subscrev assinatura_de
unsubscribe: cancelar_assinatura cancelar_inscrição cancelar_subscri desinscrev
acknowledge: confirm
queue: fila
dead: falh mort rejeitad
failed: falh
schedule: agendar agend programar planej a_cada_hora
vulnerability: vulnerabilidade cvss
severity: gravidade severidade
stored: guardad armazenad salv meu
condition: condiç filtr consulta
key: chave
value: valor
counter: contador increment
usage: espaço ocup uso
export: export
vector: vetor embedding
similar: semelhan parecid similar
redact: ocult anonimiz tarj
timezone: fuso
time: hora
feed: feed rss
robots: robots rastreador
iban: iban conta_bancária
taxid: nif iva cpf fiscal contribuinte
watch: vigi monitor alert
webhook: webhook
secret: segredo chave_de_assinatura
`;
