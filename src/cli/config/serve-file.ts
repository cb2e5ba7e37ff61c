/** Serves what a configuration file says, and judges one without serving. */
import { createHandler } from "../../handler/handler.js";
import { silent } from "../../lib/logger.js";
import { createMemoryStore } from "../../stores/memory/memory.js";
import type { Invocation } from "../invocation.js";
import { serveUntilStopped } from "../serving.js";
import { type Env, openStore, paymentOf, storeOf } from "../settings.js";
import { UsageError } from "../usage.js";
import { type HostFile, readHostFile } from "./host-file.js";
import { startReloads } from "./reload.js";

/** Rejects with a UsageError that names the fault of the file. */
export async function hostFileOf(file: string, env: Env): Promise<HostFile> {
  const read = await readHostFile(file, env).catch(asUsage);
  assertServable(read, env);
  return read;
}

export async function serveFile(invocation: Invocation, file: string): Promise<number> {
  const { env, terminal, options } = invocation;
  const first = await hostFileOf(file, env);
  const { payment, ...host } = first.options;
  const opened = first.store ? await openStore(first.store) : await storeOf(env);
  const wallets = first.walletsInStore && { wallets: { ...asObject(host.wallets), db: opened?.pool } };
  return serveUntilStopped(invocation, {
    capabilities: host.capabilities,
    host: { ...host, ...wallets } as typeof host,
    listen: first.listen,
    payment: options.free ? false : (payment ?? paymentOf(env)),
    open: async () => opened,
    async started(handle) {
      const reloads = await startReloads({ handle, terminal, first, read: () => hostFileOf(file, env) });
      return reloads.stop;
    },
    lines: [["by", file]],
    example: (_, url) => `curl ${url}${host.basePath ?? "/api"}/catalog`,
  });
}

/** Puts a host together and ends it again, without a request to anybody: each fault of the options is told as then. */
export function assertServable({ file, options, store, hide }: HostFile, env: Env): void {
  const shared = store !== undefined || Boolean(env.DATABASE_URL || env.REDIS_URL);
  // A database would be opened, and a port.
  const { live: _, wallets: __, metrics, ...rest } = options;
  try {
    const handle = createHandler({
      ...rest,
      payment: options.payment ?? paymentOf(env),
      store: { ...createMemoryStore(), shared },
      ...(metrics ? { metrics: withoutPort(metrics) } : {}),
      logger: silent,
      fetch: () => Promise.reject(new Error("nobody is asked")),
    });
    void handle.close();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof UsageError)) throw error;
    throw new UsageError(hide(error.message.startsWith(file) ? error.message : `${file}: ${error.message}`));
  }
}

const withoutPort = (metrics: NonNullable<HostFile["options"]["metrics"]>) => {
  if (metrics === true) return true as const;
  const { port: _, address: __, ...rest } = metrics;
  return rest;
};

const asObject = (wallets: unknown): object => (typeof wallets === "object" && wallets !== null ? wallets : {});

function asUsage(error: unknown): never {
  if (error instanceof TypeError) throw new UsageError(error.message);
  throw error;
}
