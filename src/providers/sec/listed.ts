/** Companies listed in the US, by ticker, by filer and by name. */
import type { Context } from "../../capability/types.js";
import { NameList } from "../../engines/names/name-list.js";
import { readTickers, type Ticker } from "./filers.js";

/** A filer and its tickers: one company may have several, for its classes of shares. */
export interface ListedFiler {
  cik: string;
  name: string;
  tickers: string[];
}

export interface ListedFilers {
  byTicker: ReadonlyMap<string, ListedFiler>;
  byCik: ReadonlyMap<string, ListedFiler>;
  names: NameList<ListedFiler>;
}

/** Indexes by their rows, so that equal lists are indexed once. */
const indexes = new WeakMap<readonly Ticker[], Promise<ListedFilers>>();

/** All listed filers. The list is read once a day. */
export async function listedFilers(ctx: Context): Promise<ListedFilers> {
  const rows = await readTickers(ctx);
  const known = indexes.get(rows);
  if (known) return known;
  const index = indexRows(rows);
  indexes.set(rows, index);
  return index;
}

async function indexRows(rows: readonly Ticker[]): Promise<ListedFilers> {
  const byCik = new Map<string, ListedFiler>();
  const byTicker = new Map<string, ListedFiler>();
  for (const { cik, ticker, title } of rows) {
    const filer = byCik.get(cik) ?? { cik, name: title, tickers: [] };
    filer.tickers.push(ticker);
    byCik.set(cik, filer);
    byTicker.set(ticker.toUpperCase(), filer);
  }
  const listed = [...byCik.values()].map((filer) => ({ text: filer.name, bearer: filer, isPerson: false }));
  return { byTicker, byCik, names: await NameList.build(listed) };
}

/** A ticker in the SEC's form: share classes after a hyphen, such as BRK-B. */
export const secTicker = (ticker: string): string => ticker.trim().toUpperCase().replace(/[./]/g, "-");

/** Page of a filer, for people. */
export const filerUrl = (cik: string): string => `https://www.sec.gov/edgar/browse/?CIK=${cik}`;
