/** Companies of France's registers. An unassigned number may have a record without content. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import {
  day,
  flag,
  identifiedRows,
  label,
  labels,
  list,
  named,
  number,
  whole,
  wholeOrNone,
} from "../../upstream/fields.js";
import { rechercheEntreprises } from "./provider.js";

const company = lazySchema(() =>
  whole(
    {
      siren: z.string(),
      nom_complet: label(),
      nom_raison_sociale: label(),
      sigle: label(),
      nombre_etablissements: number(),
      nombre_etablissements_ouverts: number(),
      // Empty for an unassigned number.
      siege: wholeOrNone({
        siret: label(),
        adresse: label(),
        code_postal: label(),
        libelle_commune: label(),
        departement: label(),
        region: label(),
        latitude: number(),
        longitude: number(),
      }),
      activite_principale: label(),
      section_activite_principale: label(),
      categorie_entreprise: label(),
      date_creation: day(),
      date_fermeture: day(),
      dirigeants: list(
        whole(
          { type_dirigeant: label(), qualite: label() },
          { nom: label(), prenoms: label(), annee_de_naissance: number(), siren: label(), denomination: label() },
          // Fields of a person.
          ["nom", "prenoms", "annee_de_naissance"],
          // Fields of a company.
          ["siren", "denomination"],
        ),
      ),
      etat_administratif: label(),
      nature_juridique: label(),
      tranche_effectif_salarie: label(),
      matching_etablissements: named(
        whole({ siret: label(), adresse: label(), etat_administratif: label(), est_siege: flag() }),
        "siret",
      ),
      finances: z
        .record(z.string(), wholeOrNone({ ca: number(), resultat_net: number() }))
        .nullish()
        .transform((years) => Object.entries(years ?? {})),
    },
    { tva: labels() },
  ),
);
export type FrenchCompany = z.output<ReturnType<typeof company>>;

export interface FrenchSearch {
  words: string;
  limit: number;
  /** The register requires three characters, unless there is a filter. */
  activeOnly: boolean;
}

/** Companies by name, number or director, best match first, and the number of matches: at most 10,000 are counted. */
export async function searchFrenchCompanies({ words, limit, activeOnly }: FrenchSearch, ctx: Context) {
  const { results, total_results } = await upstream(ctx, rechercheEntreprises).get("/search", {
    query: { q: words, page: 1, per_page: limit, etat_administratif: activeOnly ? "A" : undefined },
    schema: z.object({ results: identifiedRows(company(), ["siren"]), total_results: z.int() }),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return { companies: results.slice(0, limit), total: total_results };
}
