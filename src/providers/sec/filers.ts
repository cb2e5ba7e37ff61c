/** Filers of the SEC: the owner of a ticker, and the master data of one CIK. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { padCik } from "../../engines/identifiers/cik.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { identifiedRows, isFilled, key, label, list, maybe, named, whole } from "../../upstream/fields.js";
import { sec, secFiles } from "./provider.js";

/** A ticker of an exchange-listed filer. Share classes have a hyphen: BRK-B. One filer may own several. */
export interface Ticker {
  /** Plain digits. */
  cik: string;
  ticker: string;
  title: string;
}

const row = () => z.object({ cik_str: key(), ticker: z.string(), title: z.string() });
const tickers = lazySchema(() =>
  z
    .record(z.string(), z.unknown())
    .transform((rows) => Object.values(rows))
    .pipe(identifiedRows(row(), ["cik_str", "ticker", "title"]).refine(isFilled, "is empty"))
    .transform((rows) => rows.map(({ cik_str, ticker, title }): Ticker => ({ cik: cik_str, ticker, title }))),
);

/** All tickers, about ten thousand, larger companies first. Kept for a day. */
export const readTickers = (ctx: Context): Promise<Ticker[]> =>
  upstream(ctx, secFiles).get("/company_tickers.json", { schema: tickers(), ttlMs: DAY_MS, staleMs: 7 * DAY_MS });

const filer = lazySchema(() =>
  whole(
    {
      cik: key().transform((cik) => cik.replace(/^0+/, "")),
      name: z.string(),
      entityType: label(),
      sic: label(),
      sicDescription: label(),
      tickers: list(label()),
      exchanges: list(label()),
      ein: label(),
      category: label(),
      fiscalYearEnd: label(),
      stateOfIncorporation: label(),
      stateOfIncorporationDescription: label(),
      formerNames: named(z.object({ name: label(), from: label(), to: label() }), "name"),
      addresses: maybe(z.object({ business: maybe(z.object({ city: label(), stateOrCountry: label() })) })),
    },
    { lei: label() },
  ),
);
/** Master data of a filer. Entries of `tickers` and `exchanges` correspond by position. */
export type Filer = z.output<ReturnType<typeof filer>>;

/** The filer of a CIK in the form of `readCik`; undefined if there is none. */
export const findFiler = (cik: string, ctx: Context): Promise<Filer | undefined> =>
  upstream(ctx, sec).get(segments("submissions", `CIK${padCik(cik)}.json`), {
    schema: filer().refine((found) => found.cik === cik),
    absent: [404],
    ttlMs: 6 * HOUR_MS,
    staleMs: 7 * DAY_MS,
  });
