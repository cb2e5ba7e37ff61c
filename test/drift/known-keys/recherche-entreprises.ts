import type { KnownKeys } from "../../support/render-inventories.js";

const PLACE =
  "activite_principale activite_principale_naf25 activite_principale_registre_metier adresse ancien_siege annee_tranche_effectif_salarie caractere_employeur cedex code_pays_etranger code_postal commune complement_adresse coordonnees date_creation date_debut_activite date_fermeture date_mise_a_jour date_mise_a_jour_insee date_mise_a_jour_rne departement dernier_numero_voie distribution_speciale epci est_siege etat_administratif geo_adresse geo_id indice_repetition indice_repetition_dernier_numero_voie latitude libelle_cedex libelle_commune libelle_commune_etranger libelle_pays_etranger libelle_voie liste_enseignes liste_finess liste_id_bio liste_idcc liste_id_organisme_formation liste_rge liste_uai longitude nom_commercial numero_voie region siret statut_diffusion statut_diffusion_etablissement tranche_effectif_salarie type_voie";

/** A person is a company without directors; one that asked not to be shown has hardly more than a number. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/search",
    source: "recherche-entreprises.api.gouv.fr, OpenAPI",
    objects: {
      "": "results total_results page per_page total_pages erreur",
      "results[]":
        "siren nom_complet nom_raison_sociale sigle nombre_etablissements nombre_etablissements_ouverts siege activite_principale activite_principale_naf25 annee_categorie_entreprise annee_tranche_effectif_salarie caractere_employeur categorie_entreprise date_creation date_fermeture date_mise_a_jour date_mise_a_jour_insee date_mise_a_jour_rne dirigeants etat_administratif nature_juridique section_activite_principale tranche_effectif_salarie statut_diffusion matching_etablissements finances complements immatriculation economie_sociale_solidaire est_entrepreneur_individuel slug score meta tva identifiant_association categorie_juridique",
      "results[].siege": PLACE,
      "results[].matching_etablissements[]": PLACE,
      "results[].dirigeants[]":
        "nom prenoms nom_patronymique annee_de_naissance date_de_naissance mois_de_naissance qualite nationalite type_dirigeant siren denomination sigle role date_mise_en_place",
      "results[].finances{}": "ca resultat_net date_cloture_exercice",
    },
    rare: [
      ...["nom_raison_sociale", "sigle", "siege", "activite_principale", "section_activite_principale", "dirigeants"],
      ...["categorie_entreprise", "date_creation", "date_fermeture", "etat_administratif", "nature_juridique"],
      ...["tranche_effectif_salarie", "matching_etablissements", "finances", "nombre_etablissements_ouverts"],
      ...["adresse", "code_postal", "departement", "latitude", "longitude", "libelle_commune", "region", "siret"].map(
        (name) => `siege.${name}`,
      ),
      ...["nom", "prenoms", "annee_de_naissance", "siren", "denomination", "qualite"].map(
        (name) => `dirigeants[].${name}`,
      ),
    ].map((name) => `results[].${name}`),
  },
];
