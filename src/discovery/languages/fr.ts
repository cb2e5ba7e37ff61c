/** French words of each subject (see words.ts for their form). */
export const words = `
.: le la les un une des du de au aux dans sur pour par avec est sont quel quelle quels quelles quand où ou comment qui ce cette ces mon ma mes sa et il elle combien je veux faire chercher trouver à en d l qu y a t se entre ne pas vers depuis si cet numéro quoi
check: vérif valid contrôl correct
convert: convert transform passer_de
create: créer génér fabriqu rédig écrire création
read: lire lecture scanner analyser décod
find: trouv cherch repér
search: recherch cherch
list: liste lister classement énumér
count: compt nombre_de combien_de
compare: compar différence
delete: supprim effac enlev
erase: tout_effacer tout_supprimer
everything: tout toutes_mes intégral
update: modifi mettre_à_jour actualis augment incrément
cancel: annul arrêt résili
status: état statut où_en_est
get: récupér obtenir lire télécharg
put: mettre stocker enregistr sauvegard déposer ajouter conserver
take: prendre prend retirer récupér obtenir acquér
return: rendre remettre restitu
again: renvoy de_nouveau encore relanc réessay
send: envoy expédi
extend: prolong
release: libér relâch déverrouill
several: plusieurs liste_de
split: découp divis segment décompos
extract: extrai extract
describe: décri description texte_alternatif
classify: class catégor étiquet
sort: trier tri
run: exécut prochaine_exécution
now: actuel maintenant en_ce_moment en_direct
since: depuis nouveau
near: proche près proximité voisin
change: chang modif renouvel
notify: avert notif prévenir alert
call: appel
message: message
words: mots mot_clé plein_texte
text: texte
document: document
file: fichier
image: image photo
word: word docx powerpoint
webpage: page_web site_web page_internet site url
table: tableau
postal: adresse_postale postal
format: format écrire_une_adresse
address: adresse
news: actualité nouveauté quoi_de_neuf passé
drought: sécheresse
harvest: récolte agricol agricultur blé maïs
chat: discut chat dialog
model: modèle ia intelligence_artificielle
council: avis débat conseil délibér
names: noms personnes organisation lieux entités
draw: génér dessin créer_une_image
moderate: modér haine haineux insulte offensant
ocr: reconnaissance_de_texte ocr reconnaissance_optique numéris
personal: personnel données_personnelles rgpd
research: recherche_sur synthèse note_de
screenshot: capture_d_écran capture
sentiment: sentiment tonalité positif humeur
summarize: résum
translate: tradui traduct
language: langue anglais espagnol
websearch: sur_internet recherche_web sur_le_web
question: question
aircraft: avion hélicoptère aéronef appareil
registration: immatricul
owner: propriétaire appartient possède
airport: aéroport
code: code
accident: accident crash écrasement
weather: météo temps_fait
hazard: turbulence givrage orage danger cendres
forecast: prévision prévu
bank: banque bancaire
insured: assuré garantie_des_dépôts
statement: relevé_bancaire relevé_de_compte relevé
barcode: code_barre code_à_barre code_qr qr
batch: en_une_fois lot groupé à_la_fois
gene: gène
protein: protéine
species: espèce nom_scientifique
unemployment: chômage
inflation: inflation prix_à_la_consommation salaires
book: livre roman
author: auteur écrivain
brazil: brésil
company: entreprise société compagnie fournisseur firme
match: correspond identif
connecticut: connecticut
officers: dirigeant administrateur
sanctions: sanction embargo
finland: finland
france: français france siren siret
ticker: symbole_boursier ticker
identifier: identifiant isbn
diligence: diligence dossier enquête
lei: lei entité_juridique identifiant_juridique
subsidiary: filiale maison_mère groupe
isin: isin
securities: titres obligation valeur_mobilière
industry: secteur industrie branche activité
norway: norv
poland: polon
usa: états_unis américain
registry: registre
britain: britanni royaume_uni anglais
workday: jours_ouvr jour_ouvr ouvré ouvrable
date: date jours
earnings: résultats_trimestriels résultats_financiers bénéfice résultats
holiday: jours_férié jour_férié férié vacances
event: calendrier événement agenda ics
ipo: introduction_en_bourse introductions_en_bourse entrer_en_bourse
population: population habitant recensement
income: revenu
zip: code_postal
compound: molécul composé chimi substance
formula: formule masse_molaire
traditional: traditionnel simplifié
chinese: chinois
detect: détect savoir_si
pinyin: pinyin prononc
history: historique passé évolution dernière_année
rain: pluie précipitation neige
station: station_météo station
trial: essai_clinique essais_cliniques clinique
details: détail critère
disease: maladie cancer diabète
repository: dépôt github code_source
exchange: taux_de_change devise monnaie convertisseur_de cours_de_l
dollar: dollar euro franc livre_sterling yen
unit: unité kilomètre kilogramme degré litre miles celsius
countdown: compte_à_rebours minuteur décompte
email: courriel e_mail email mail
country: pays
risk: risque
rating: notation note_souveraine
capital: capitale
calling: indicatif
transaction: transaction opération
wallet: portefeuille wallet
scam: arnaque escroquer frauduleu dangereu phishing
bitcoin: bitcoin btc
ethereum: ethereum ether eth
crypto: crypto cryptomonnaie
balance: solde
token: jeton token
fee: frais commission
mempool: mempool
waiting: attente non_confirmé
utxo: utxo non_dépensé
candle: bougie chandelier
price: prix cours
market: marché bourse plateforme
tvl: tvl valeur_verrouillée valeur_bloquée
blockchain: blockchain chaîne réseau
coin: coin pièce
contract: contrat_intelligent contrat
calldata: calldata données_d_appel
decode: décod déchiffr
defi: defi finance_décentralisée
revenue: recette revenus_des
yield: rendement
pool: pool liquidité
dex: dex décentralisé
trending: tendance populaire
ens: ens
fear: peur cupidité avidité
gas: gas gaz
capitalization: capitalisation dominance
kimchi: kimchi
korea: corée
funding: financement funding
perpetual: perpétuel
predict: prochain prévu prédit
cron: cron crontab
jwt: jwt jeton_d_accès
signature: signature
license: licence
regex: expression_régulière expression_rationnelle regex
version: version
markdown: markdown
domain: domaine
security: sécurité sécuris
edifact: edifact
edi: edi x12
spf: spf
loan: prêt crédit emprunt hypothéc mensualité amortissement
interest: intérêt
irr: taux_de_rendement_interne tri van irr
investment: investissement placement
option: option_financière option
coordinates: coordonnée latitude
distance: distance loin
area: surface superficie aire
invoice: facture
json: json
path: chemin jsonpath
repair: répar cassé corrompu abîmé
schema: schéma
lock: verrou bloqu
payment: paiement virement
pdf: pdf
phone: téléphone portable
label: étiquette gs1
product: produit gtin
topic: sujet topic canal
delivery: livraison distribu livré
publish: publi
subscribe: abonn souscri
unsubscribe: désabonn résili
acknowledge: confirmer accuser acquitt
queue: file_d_attente file
dead: échoué rejeté mort
failed: échoué échec
schedule: planif programm chaque_heure tâche_régulière
vulnerability: vulnérabilité faille cvss
severity: gravité criticité
stored: stocké enregistré conservé mes mon
condition: condition filtr critère
key: clé
value: valeur
counter: compteur incrément
usage: espace utilis occupé
export: export
vector: vecteur embedding
similar: similaire ressembl similarité
redact: masquer anonymis caviard
timezone: fuseau décalage
time: heure
feed: flux rss
robots: robots robot crawler
iban: iban compte_bancaire
taxid: tva numéro_fiscal identifiant_fiscal fiscal
watch: surveill alerte suivre
webhook: webhook
secret: secret clé_de_signature
`;
