/** The sender of a host's callbacks: its database, keys and rules, and the endpoints that it asks. */
import { createContext, untilEnd } from "../../capability/context.js";
import type { AnyCapability } from "../../capability/types.js";
import { admitRun, assertOpen, gateRead } from "../../gate/gate.js";
import type { Host } from "../../host/host.js";
import { createTally } from "../../lib/tally.js";
import { contextFor } from "../../request/call.js";
import type { Database } from "../../state/database/database.js";
import { openWallets } from "../../state/database/open.js";
import type { Runner } from "../../state/runner.js";
import { DEFAULT_MAX_BYTES } from "../../state/wallet/options.js";

const ATTEMPT_MS = 20_000;
const POLL_TIMEOUT_MS = 30_000;

const databaseOf = ({ options: { wallets = {}, dataDir }, resources }: Host): Promise<Database> =>
  openWallets({ wallets, dataDir, resources });

async function timeOf({ options: { clock } }: Host, database: Database): Promise<Date> {
  if (clock) return clock();
  const { rows } = await database.query("select (extract(epoch from clock_timestamp()) * 1000)::float8 as now");
  return new Date(Math.floor((rows[0] as { now: number }).now));
}

export const openRunner = (host: Host): Promise<Runner> =>
  host.resources.use(
    "callbacks",
    async () => {
      const { options, brand, store } = host;
      const { wallets = {} } = options;
      const [database, { openKeys, SECRET_UNREADABLE }, { urlRules }, { ask }, { createAnswers }] = await Promise.all([
        databaseOf(host),
        import("../../state/webhooks/keys.js"),
        import("../../state/webhooks/callbacks.js"),
        import("../../state/watchers/watchable.js"),
        import("../../state/watchers/answers.js"),
      ]);
      const { userAgent } = createContext(options, { timeoutMs: ATTEMPT_MS, brand });
      const { wallets: _, ...rest } = options;
      return {
        database,
        keys: await openKeys(database, wallets, (error) => options.logger.error({ error }, SECRET_UNREADABLE)),
        outbound: () => createContext(rest, { timeoutMs: ATTEMPT_MS, brand }),
        rules: urlRules(wallets),
        slug: brand.slug,
        userAgent: `${userAgent}-Webhooks${brand.baseUrl ? ` (+${brand.baseUrl})` : ""}`,
        now: () => timeOf(host, database),
        random: Math.random,
        watches: host.byId.has("watchers.arm"),
        answers: createAnswers(),
        async ask(endpoint, params) {
          const capability = host.byId.get(endpoint) ?? (host.byId.get("watchers.arm") as AnyCapability);
          const ctx = contextFor(host, capability, { timeoutMs: POLL_TIMEOUT_MS });
          return untilEnd(ctx, ask(ctx, endpoint, params)).finally(() => host.budgets?.spend(capability, [], ctx));
        },
        async assertOpen(endpoint) {
          await gateRead(host);
          const capability = host.byId.get(endpoint);
          // guard: watchers: a stopped endpoint is not polled | gone | watch-gate
          if (capability) await assertOpen(host, capability);
        },
        async admit({ endpoint, params, wallet, by }) {
          const capability = host.byId.get(endpoint);
          if (!capability) return;
          const { input } = await capability.parse(params, contextFor(host, capability));
          await admitRun(host, { capability, input, wallet, key: by });
        },
        maxBytes: wallets.limits?.bytes ?? DEFAULT_MAX_BYTES,
        onUnreadable: tellerOf(host),
        mayStart: async (name, max, by = 1) => (await store.increment(name, by, { ttlMs: 120_000, max })) !== undefined,
      };
    },
    () => {},
  );

/** Logs one line per table and minute, with the number of rows that were set aside. */
function tellerOf({ options: { logger }, now }: Host) {
  const tally = createTally(now);
  return (table: string, error: Error): void => {
    const rows = tally(table);
    if (rows !== undefined) logger.error({ table, rows, error }, "callbacks: set aside a row that cannot be decrypted");
  };
}

export async function publicKeysOf(host: Host): Promise<object> {
  const [{ database, keys }, { publishedKeys }] = await Promise.all([
    openRunner(host),
    import("../../state/webhooks/keys.js"),
  ]);
  return publishedKeys(database, keys, await timeOf(host, database));
}
