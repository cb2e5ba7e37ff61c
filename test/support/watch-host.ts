/** A host whose answers are scripted, with watchers of them; the clock is the test's, and rounds are run by hand. */
import { z } from "zod";
import * as watchers from "../../src/capabilities/watchers/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import type { FakeClock } from "./clock.js";

export interface Script {
  /** What is answered next: a value, or an error that is thrown. */
  value: unknown;
  /** Whether answers say that they are outdated. */
  isStale?: boolean;
  /** The inputs that were asked with, in their order. */
  asked: string[];
}

const source = { provider: "test", url: "", license: "none" };

/** An endpoint whose every answer has `value` in its one item. */
export function scripted(id: string, script: Script, more: { price?: string } = {}) {
  return defineCapability({
    id,
    summary: "A scripted figure.",
    price: more.price ?? "0.0012",
    source,
    input: () => z.strictObject({ of: z.string().default("all") }),
    output: one(() => z.object({ value: z.unknown() })),
    example: {},
    async run({ of }) {
      script.asked.push(of);
      if (script.value instanceof Error) throw script.value;
      return { item: { value: script.value }, ...(script.isStale ? { meta: { staleSeconds: 60 } } : {}) };
    },
  });
}

export const WATCHING = [
  watchers.watchersArm,
  watchers.watchersStatus,
  watchers.watchersList,
  watchers.watchersCancel,
  webhooks.webhooksRedeliver,
] as const;

interface WatchHostOptions {
  wallets: WalletOptions;
  clock: FakeClock;
  watched: readonly AnyCapability[];
}

export function openWatchHost({ wallets, clock, watched }: WatchHostOptions) {
  const handle = createHandler({
    capabilities: [...WATCHING, ...watched],
    brand: { name: "Acme", slug: "acme" },
    payment: false,
    logger: silent,
    wallets: { httpCallbacks: true, runner: false, ...wallets },
    outbound: { allowPrivate: true },
    clock,
  });
  const only = async <T>(work: Promise<unknown>): Promise<T> => {
    const { items } = (await work) as { items: T[] };
    if (items[0] === undefined) throw new Error("no item");
    return items[0];
  };
  type Item<C extends (...input: never[]) => Promise<{ items: unknown[] }>> = Awaited<ReturnType<C>>["items"][number];
  const call = (id: string, input: object, wallet: string) => handle.call(id as never, input as never, { wallet });
  return {
    handle,
    as: (wallet: string) => ({
      arm: (input: Partial<Parameters<typeof watchers.watchersArm>[0]>) =>
        only<Item<typeof watchers.watchersArm>>(call("watchers.arm", input, wallet)),
      status: (watcherId: string) =>
        only<Item<typeof watchers.watchersStatus>>(call("watchers.status", { watcherId }, wallet)),
      cancel: (watcherId: string) =>
        only<Item<typeof watchers.watchersCancel>>(call("watchers.cancel", { watcherId }, wallet)),
      list: async (input: object = {}) =>
        ((await call("watchers.list", input, wallet)) as { items: Item<typeof watchers.watchersList>[] }).items,
    }),
    tick: () => handle.tick({ budgetMs: 60_000 }),
    close: () => handle.close(),
  };
}
export type WatchHost = ReturnType<typeof openWatchHost>;
