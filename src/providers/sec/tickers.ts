/** The companies that are listed in the US, by ticker, by filer and by name. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { NameList } from "../../engines/names/name-list.js";
import { DAY_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { secFiles } from "./index.js";

const tickerRows = lazySchema(() =>
  z
    .record(z.string(), z.object({ cik_str: z.number(), ticker: z.string(), title: z.string() }))
    .refine((rows) => Object.keys(rows).length > 0)
    .transform((rows) => Object.values(rows)),
);
type Row = z.output<ReturnType<typeof tickerRows>>[number];

/** A filer and its tickers: one company may have several, for its classes of shares. */
export interface Filer {
  cik: string;
  name: string;
  tickers: string[];
}

export interface ListedFilers {
  byTicker: ReadonlyMap<string, Filer>;
  byCik: ReadonlyMap<string, Filer>;
  names: NameList<Filer>;
}

/** Indexes by the rows that they were made of, so that equal lists are indexed once. */
const indexes = new WeakMap<readonly Row[], Promise<ListedFilers>>();

/** All listed filers. The list is read once a day. */
export async function listedFilers(ctx: Context): Promise<ListedFilers> {
  const rows = await upstream(ctx, secFiles).get("/company_tickers.json", {
    schema: tickerRows(),
    ttlMs: DAY_MS,
    staleMs: 14 * DAY_MS,
  });
  const known = indexes.get(rows);
  if (known) return known;
  const index = indexRows(rows);
  indexes.set(rows, index);
  return index;
}

async function indexRows(rows: readonly Row[]): Promise<ListedFilers> {
  const byCik = new Map<string, Filer>();
  const byTicker = new Map<string, Filer>();
  for (const { cik_str, ticker, title } of rows) {
    const cik = String(cik_str);
    const filer = byCik.get(cik) ?? { cik, name: title, tickers: [] };
    filer.tickers.push(ticker);
    byCik.set(cik, filer);
    byTicker.set(ticker.toUpperCase(), filer);
  }
  const listed = [...byCik.values()].map((filer) => ({ text: filer.name, bearer: filer, isPerson: false }));
  return { byTicker, byCik, names: await NameList.build(listed) };
}

/** A ticker as the SEC writes it: classes of shares after a hyphen, as BRK-B. */
export const secTicker = (ticker: string): string => ticker.trim().toUpperCase().replace(/[./]/g, "-");

/** Where people find a filer. */
export const filerUrl = (cik: string): string => `https://www.sec.gov/edgar/browse/?CIK=${cik}`;
