/** The calls that a host makes later, on behalf of wallets: when it makes them, and what it signs them with. */
import { createContext } from "../capability/context.js";
import { callbackKeysOperation } from "../discovery/discovery-operations.js";
import { onLambda, onWorkers } from "../lib/platform.js";
import type { Database } from "../wallet/database.js";
import { openWallets } from "../wallet/open.js";
import type { Sender } from "../wallet/send.js";
import type { Callbacks, Host } from "./host.js";

const POLL_MS = 2000;
const ROUND_MS = 20_000;

/** Undefined where nothing that is mounted calls back. It runs by itself in a process that lives long. */
export function createCallbacks(host: Host): Callbacks | undefined {
  const { wallets } = host.options;
  if (!wallets || !host.capabilities.some(({ wallet }) => wallet?.callsBack)) return undefined;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  let closed = false;

  const run = async (endsAt: number): Promise<number> => {
    const [{ runRound }, sender] = await Promise.all([import("../wallet/runner.js"), openSender(host)]);
    return runRound(sender, endsAt);
  };
  const poll = () => {
    if (closed) return;
    // Instances that were started together drift apart.
    timer = setTimeout(
      () => {
        underWay = run(performance.now() + ROUND_MS)
          .catch((error: unknown) => host.options.logger.error({ error }, "callbacks"))
          .finally(poll);
      },
      POLL_MS * (0.9 + 0.2 * Math.random()),
    );
    timer.unref();
  };
  if (wallets.runner !== false && !onWorkers() && !onLambda()) poll();
  addKeysPage(host);

  return {
    run: (endsAt) => (closed ? Promise.resolve(0) : run(endsAt)),
    async close() {
      closed = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

const ATTEMPT_MS = 20_000;

const databaseOf = ({ options: { wallets = {}, dataDir }, resources }: Host): Promise<Database> =>
  openWallets({ wallets, dataDir, resources });

async function timeOf({ options: { clock } }: Host, database: Database): Promise<Date> {
  if (clock) return clock();
  const { rows } = await database.query("select (extract(epoch from clock_timestamp()) * 1000)::float8 as now");
  return new Date(Math.floor((rows[0] as { now: number }).now));
}

const openSender = (host: Host): Promise<Sender> =>
  host.resources.use(
    "callbacks",
    async () => {
      const { options, brand, store } = host;
      const { wallets = {} } = options;
      const [database, { openKeys }, { urlRules }] = await Promise.all([
        databaseOf(host),
        import("../wallet/keys.js"),
        import("../wallet/callbacks.js"),
      ]);
      const { userAgent } = createContext(options, { timeoutMs: ATTEMPT_MS, brandName: brand.name });
      const { wallets: _, ...rest } = options;
      return {
        database,
        keys: await openKeys(database, wallets),
        outbound: () => createContext(rest, { timeoutMs: ATTEMPT_MS, brandName: brand.name }),
        rules: urlRules(wallets),
        slug: brand.slug,
        userAgent: `${userAgent}-Webhooks${brand.baseUrl ? ` (+${brand.baseUrl})` : ""}`,
        now: () => timeOf(host, database),
        random: Math.random,
        mayStart: async (name, max) => (await store.increment(name, 1, { ttlMs: 120_000, max })) !== undefined,
      };
    },
    () => {},
  );

/** The public keys, free for every receiver. */
function addKeysPage(host: Host): void {
  host.routes.add(`${host.basePath}/webhooks/keys`, {
    kind: "page",
    operation: callbackKeysOperation,
    async read() {
      const [{ database, keys }, { publishedKeys }] = await Promise.all([
        openSender(host),
        import("../wallet/keys.js"),
      ]);
      return JSON.stringify(await publishedKeys(database, keys, await timeOf(host, database)));
    },
  });
}
