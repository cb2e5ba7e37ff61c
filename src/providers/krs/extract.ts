/** The current extract of one entity. Every part of it may be missing; names of persons come masked. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, label, list, maybe, number, oneOrMany, part } from "../../upstream/fields.js";
import { krs } from "./index.js";

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
  nazwisko: part({ nazwiskoICzlon: label() }),
  imiona: part({ imie: label(), imieDrugie: label() }),
});
const activities = () => list(z.object({ opis: label(), kodDzial: label(), kodKlasa: label(), kodPodklasa: label() }));

const extract = lazySchema(() =>
  z.object({
    naglowekA: z.object({
      rejestr: label(),
      numerKRS: z.string(),
      stanZDnia: polishDay(),
      dataRejestracjiWKRS: polishDay(),
      numerOstatniegoWpisu: number(),
      dataOstatniegoWpisu: polishDay(),
      oznaczenieSaduDokonujacegoOstatniegoWpisu: label(),
    }),
    dane: z.object({
      dzial1: z.object({
        danePodmiotu: z.object({
          formaPrawna: label(),
          identyfikatory: part({ regon: label(), nip: label() }),
          nazwa: z.string(),
          daneOWczesniejszejRejestracji: part({
            nazwaPoprzedniegoRejestru: label(),
            numerWPoprzednimRejestrze: label(),
          }),
          czyPosiadaStatusOPP: flag(),
        }),
        siedzibaIAdres: part({
          siedziba: part({ wojewodztwo: label(), powiat: label(), gmina: label(), miejscowosc: label() }),
          adres: part({ ulica: label(), nrDomu: label(), nrLokalu: label(), kodPocztowy: label(), kraj: label() }),
          adresPocztyElektronicznej: label(),
          adresStronyInternetowej: label(),
        }),
        kapital: part({
          wysokoscKapitaluZakladowego: maybe(z.object({ wartosc: polishNumber(), waluta: label() })),
          lacznaLiczbaAkcjiUdzialow: polishNumber(),
        }),
        wspolnicySpzoo: list(
          z.object({
            nazwa: label(),
            ...person(),
            identyfikator: part({ regon: label() }),
            krs: part({ krs: label() }),
            posiadaneUdzialy: label(),
          }),
        ),
      }),
      dzial2: part({
        reprezentacja: maybe(
          z.object({
            nazwaOrganu: label(),
            sposobReprezentacji: label(),
            sklad: list(z.object({ nazwa: label(), ...person(), funkcjaWOrganie: label(), czyZawieszona: flag() })),
          }),
        ),
        organNadzoru: oneOrMany(z.object({ nazwa: label(), sklad: list(z.unknown()) })),
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

/** The extract of a number in register P (entrepreneurs) or S (associations); undefined where it is not in that one. */
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
