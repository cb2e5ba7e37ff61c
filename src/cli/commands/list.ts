import { priceText } from "../../discovery/price-text.js";
import { all, freeHandler } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { didYouMean, UsageError } from "../usage.js";

export async function run({ terminal, words, options }: Invocation): Promise<number> {
  const group = (options.group as string | undefined) ?? words[0];
  const groups = [...new Set(all.map((one) => one.group))];
  if (group !== undefined && !groups.includes(group))
    throw new UsageError(`Unknown group "${group}".${didYouMean(group, groups)} Groups: ${groups.join(", ")}.`);
  const directory = freeHandler().directory({ group });
  if (options.json) {
    terminal.out(JSON.stringify(directory, null, 2));
    return 0;
  }
  const rows = directory.endpoints.map(({ id, price, summary, available, reason }) => [
    id,
    priceText(price),
    available ? summary : `(not available: ${reason}) ${summary}`,
  ]);
  terminal.table(rows, ["id", "price", "what it does"]);
  terminal.note(
    terminal.dim(`${directory.total} capabilities. Prices are those of services; here the calls are free.`),
  );
  return 0;
}
