import { priceText } from "../../discovery/price-text.js";
import { createSearch } from "../../discovery/search.js";
import { freeHandler } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { UsageError } from "../usage.js";

export async function run({ terminal, words, options }: Invocation): Promise<number> {
  const limit = options.limit === undefined ? 10 : Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 50) throw new UsageError("--limit takes a number from 1 to 50.");
  if (words.length === 0) throw new UsageError('Search for what? Example: coinslot search "public holidays".');
  const found = await createSearch(freeHandler().catalogue)(words.join(" "), limit);
  if (options.json) terminal.out(JSON.stringify(found, null, 2));
  else if (found.results.length === 0) terminal.note("Nothing was found. Try other words, or run coinslot list.");
  else
    terminal.table(
      found.results.map(({ id, price, summary, reason }) => [
        id,
        priceText(price),
        reason === undefined ? summary : `(not available: ${reason}) ${summary}`,
      ]),
      ["id", "price", "what it does"],
    );
  return found.results.length > 0 ? 0 : 1;
}
