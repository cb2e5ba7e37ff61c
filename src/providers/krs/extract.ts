/** The current extract of one entity. Every part of it may be missing; names of persons come masked. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, label, list, maybe, number, oneOrMany, part, whole, wholeOrNone } from "../../upstream/fields.js";
import { krs } from "./provider.js";

/** 22.09.2026, at times followed by "R." for year. */
const polishDay = () =>
  z
    .string()
    .nullish()
    .transform((text) => {
      const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})/.exec(text?.trim() ?? "") ?? [];
      return year ? `${year}-${month}-${day}` : null;
    });

/** 1451177561,25 */
const polishNumber = () =>
  z
    .string()
    .nullish()
    .transform((text) => {
      const number = Number((text ?? "").replace(/\s/g, "").replace(",", ".") || Number.NaN);
      return Number.isFinite(number) ? number : null;
    });

const person = () => ({
  nazwisko: wholeOrNone({ nazwiskoICzlon: label() }),
  imiona: wholeOrNone({ imie: label() }, { imieDrugie: label() }),
});
const activities = () => list(whole({ opis: label(), kodDzial: label(), kodKlasa: label() }, { kodPodklasa: label() }));

const extract = lazySchema(() =>
  z.object({
    naglowekA: whole(
      {
        rejestr: label(),
        numerKRS: z.string(),
        stanZDnia: polishDay(),
        dataRejestracjiWKRS: polishDay(),
        numerOstatniegoWpisu: number(),
        dataOstatniegoWpisu: polishDay(),
      },
      { oznaczenieSaduDokonujacegoOstatniegoWpisu: label() },
    ),
    dane: z.object({
      dzial1: z.object({
        danePodmiotu: whole(
          { formaPrawna: label(), identyfikatory: part({ regon: label(), nip: label() }), nazwa: z.string() },
          {
            daneOWczesniejszejRejestracji: wholeOrNone(
              {},
              { nazwaPoprzedniegoRejestru: label(), numerWPoprzednimRejestrze: label(), sadProwadzacyRejestr: label() },
            ),
            czyPosiadaStatusOPP: flag(),
          },
        ),
        siedzibaIAdres: wholeOrNone(
          {
            siedziba: wholeOrNone({ wojewodztwo: label(), powiat: label(), gmina: label(), miejscowosc: label() }),
            // A village has no streets.
            adres: wholeOrNone(
              { nrDomu: label(), kodPocztowy: label(), kraj: label() },
              { ulica: label(), nrLokalu: label() },
            ),
          },
          { adresPocztyElektronicznej: label(), adresStronyInternetowej: label() },
        ),
        kapital: part({
          wysokoscKapitaluZakladowego: maybe(whole({ wartosc: polishNumber(), waluta: label() })),
          lacznaLiczbaAkcjiUdzialow: polishNumber(),
        }),
        wspolnicySpzoo: list(
          whole(
            { posiadaneUdzialy: label() },
            {
              nazwa: label(),
              ...person(),
              identyfikator: part({ regon: label() }),
              krs: wholeOrNone({ krs: label() }),
            },
          ),
        ),
      }),
      dzial2: part({
        reprezentacja: maybe(
          whole(
            {
              nazwaOrganu: label(),
              sklad: list(whole({ funkcjaWOrganie: label() }, { nazwa: label(), ...person(), czyZawieszona: flag() })),
            },
            { sposobReprezentacji: label() },
          ),
        ),
        organNadzoru: oneOrMany(whole({ nazwa: label() }, { sklad: list(z.unknown()) })),
      }),
      dzial3: part({
        przedmiotDzialalnosci: part({
          przedmiotPrzewazajacejDzialalnosci: activities(),
          przedmiotPozostalejDzialalnosci: activities(),
        }),
        przedmiotDzialalnosciOPP: part({ odplatnyPkd: activities(), nieodplatnyPkd: activities() }),
      }),
      dzial6: z
        .record(z.string(), z.unknown())
        .nullish()
        .transform((part) => Object.keys(part ?? {})),
    }),
  }),
);
export type KrsExtract = z.output<ReturnType<typeof extract>>;

/** The extract of a number in register P (entrepreneurs) or S (associations); undefined if it is not in that one. */
export async function findExtract(number: string, register: "P" | "S", ctx: Context): Promise<KrsExtract | undefined> {
  const answer = await upstream(ctx, krs).get(segments("OdpisAktualny", number), {
    query: { rejestr: register, format: "json" },
    schema: z.object({ odpis: extract().refine(({ naglowekA }) => naglowekA.numerKRS === number) }),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return answer?.odpis;
}
