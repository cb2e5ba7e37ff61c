/** A host whose answers are scripted, with watchers of them; the clock is the test's, and rounds are run by hand. */
import { z } from "zod";
import * as watchers from "../../src/capabilities/watchers/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one as oneItem } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { type CallbackHostOptions, only, openCallbackHost } from "./callback-host.js";

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
    output: oneItem(() => z.object({ value: z.unknown() })),
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

interface WatchHostOptions extends CallbackHostOptions {
  watched: readonly AnyCapability[];
}

export function openWatchHost({ wallets, watched, ...options }: WatchHostOptions) {
  const host = openCallbackHost([...WATCHING, ...watched], { wallets: { runner: false, ...wallets }, ...options });
  const { handle } = host;
  const one = async <T>(work: Promise<unknown>): Promise<T> => only((await work) as { items: T[] });
  type Item<C extends (...input: never[]) => Promise<{ items: unknown[] }>> = Awaited<ReturnType<C>>["items"][number];
  const call = (id: string, input: object, wallet: string) => handle.call(id as never, input as never, { wallet });
  return {
    ...host,
    as: (wallet: string) => ({
      arm: (input: Partial<Parameters<typeof watchers.watchersArm>[0]>) =>
        one<Item<typeof watchers.watchersArm>>(call("watchers.arm", input, wallet)),
      status: (watcherId: string) =>
        one<Item<typeof watchers.watchersStatus>>(call("watchers.status", { watcherId }, wallet)),
      cancel: (watcherId: string) =>
        one<Item<typeof watchers.watchersCancel>>(call("watchers.cancel", { watcherId }, wallet)),
      list: async (input: object = {}) =>
        ((await call("watchers.list", input, wallet)) as { items: Item<typeof watchers.watchersList>[] }).items,
    }),
  };
}
export type WatchHost = ReturnType<typeof openWatchHost>;
