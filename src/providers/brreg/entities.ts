/** Entities of Norway's register. Unknown fields are omitted, and deleted entities have almost no fields. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import {
  day,
  flag,
  identifiedRows,
  label,
  labels,
  maybe,
  named,
  number,
  reaching,
  whole,
} from "../../upstream/fields.js";
import { brreg } from "./provider.js";

const coded = () => maybe(whole({ kode: label(), beskrivelse: label() }));
const address = () =>
  maybe(
    whole(
      { land: label(), landkode: label() },
      { adresse: labels(), postnummer: label(), poststed: label(), kommune: label(), kommunenummer: label() },
      // Only in Norway.
      ["postnummer", "kommune", "kommunenummer"],
    ),
  );

/**
 * The law requires a business address of every limited company; one in liquidation may have only its trustee's postal
 * address.
 */
function mayLackAddress({ organisasjonsform: form, slettedato, ...state }: Record<string, unknown>): boolean {
  const isLimited = /^ASA?$/.test((form as { kode?: string } | null | undefined)?.kode ?? "");
  const isWoundUp = state.konkurs || state.underAvvikling || state.underTvangsavviklingEllerTvangsopplosning;
  return !isLimited || slettedato !== undefined || Boolean(isWoundUp);
}
const ADDRESS = ["forretningsadresse"];
const NAMES = ["organisasjonsnummer", "navn"];

const entity = lazySchema(() =>
  whole(
    { organisasjonsnummer: z.string(), navn: z.string(), organisasjonsform: coded() },
    {
      forretningsadresse: address(),
      postadresse: address(),
      naeringskode1: coded(),
      naeringskode2: coded(),
      naeringskode3: coded(),
      antallAnsatte: number(),
      registreringsdatoEnhetsregisteret: day(),
      stiftelsesdato: day(),
      slettedato: day(),
      hjemmeside: label(),
      telefon: label(),
      mobil: label(),
      epostadresse: label(),
      kapital: maybe(whole({ belop: number(), valuta: label() }, { antallAksjer: number() })),
      historiskeNavn: named(whole({ navn: label(), fraDato: day(), tilDato: day() }), "navn"),
      institusjonellSektorkode: coded(),
      konkurs: flag(),
      underAvvikling: flag(),
      underTvangsavviklingEllerTvangsopplosning: flag(),
      registrertIMvaregisteret: flag(),
      registrertIForetaksregisteret: flag(),
      registrertIFrivillighetsregisteret: flag(),
      sisteInnsendteAarsregnskap: label(),
      overordnetEnhet: label(),
    },
    // Fields of every entity that is not deleted.
    [
      "registreringsdatoEnhetsregisteret",
      "konkurs",
      "underAvvikling",
      "underTvangsavviklingEllerTvangsopplosning",
      "registrertIMvaregisteret",
      "registrertIForetaksregisteret",
      "registrertIFrivillighetsregisteret",
    ],
  ),
);
export type NorwegianEntity = z.output<ReturnType<typeof entity>>;

const KEPT = { ttlMs: DAY_MS, staleMs: 7 * DAY_MS };

/** Entities by name, best match first, and how many match. */
export async function searchNorwegianEntities(name: string, limit: number, ctx: Context) {
  const { _embedded, page } = await upstream(ctx, brreg).get("/enheter", {
    query: { navn: name, size: limit },
    schema: z
      .object({
        _embedded: z.object({ enheter: identifiedRows(entity(), NAMES, ADDRESS, 1, mayLackAddress) }).optional(),
        page: z.object({ totalElements: z.int() }),
      })
      // Omitted without matches.
      .refine(({ _embedded, page }) => _embedded || page.totalElements === 0, "has matches and no rows"),
    ...KEPT,
  });
  return { entities: (_embedded?.enheter ?? []).slice(0, limit), total: page.totalElements };
}

/** The entity with this number; undefined if there is none, or if it was removed by law. */
export const findNorwegianEntity = (number: string, ctx: Context): Promise<NorwegianEntity | undefined> =>
  upstream(ctx, brreg).get(segments("enheter", number), {
    schema: z
      .unknown()
      .check(reaching(ADDRESS, mayLackAddress))
      .pipe(entity())
      .refine(({ organisasjonsnummer }) => organisasjonsnummer === number),
    absent: [404, 410],
    ...KEPT,
  });
