import { all } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { UsageError } from "../usage.js";

/** Serves everything for play money until it is stopped: a chain, a facilitator and a buyer of its own. */
export async function run({ terminal, options, env }: Invocation): Promise<number> {
  const text = (options.port as string | undefined) ?? env.PORT ?? "8402";
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError(`A port is a number up to 65535, not "${text}".`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const { testShop } = await import("../../testing/index.js");
  const shop = await testShop({ capabilities: all, port, secrets: env });
  terminal.table(
    [
      ["serving", `${shop.url}  ${all.length} endpoints, for play money`],
      ["chain", `${shop.rpcUrl}  a copy of Base in memory`],
      ["buyer", `WALLET_KEY=${shop.buyerKey}  100 test USDC`],
      ["try", `curl '${shop.url}/api/convert/unit?value=150&from=lb&to=kg&trial=1'`],
      ["pay", `WALLET_KEY=… npx coinslot call convert.unit value=150 from=lb to=kg --url ${shop.url}`],
    ].map(([name = "", value = ""]) => [terminal.dim(name), value]),
  );
  terminal.note(terminal.dim("Ctrl-C stops it and forgets everything."));
  await stopped;
  await shop.close();
  return 0;
}
