/** How an endpoint of an account's owner is made. */
import { defineCapability } from "../../capability/define.js";
import type { Definition } from "../../capability/definition.js";
import type { AnyCapability, Context, Facts } from "../../capability/types.js";
import { lazy } from "../../lib/lazy.js";
import type { OwnContext } from "./owner-in.js";
import { OWN } from "./top-up.js";

const runs = /* @__PURE__ */ lazy(async () => (await import("./own-runs.js")).ownRuns);

type Runs = Awaited<ReturnType<typeof runs>>;
type Asked<Query> = Omit<
  // biome-ignore lint/suspicious/noExplicitAny: every definition here has its own input and result.
  Definition<any, any, any, Query, string, undefined, never, Context>,
  "price" | "source" | "run" | "batchable" | "offline" | "keywords"
> & { run: keyof Runs };

/** Nothing is paid for it, so it has no price, which a capability of any other kind needs. */
export function ownEndpoint(context: OwnContext) {
  return function own<Query>(definition: Asked<Query>, facts: Partial<Facts> = {}): AnyCapability {
    const { run, ...rest } = definition;
    const made = defineCapability({
      ...rest,
      ...{ price: "1", source: OWN, batchable: false, offline: true, live: false },
      keywords: ["account", "balance", "customer", "api key"],
      run: async (query: Query, ctx: Context) => ((await runs())[run] as OwnRun<Query>)(context, ctx, query),
      // biome-ignore lint/suspicious/noExplicitAny: as above.
    } as any);
    const free: Partial<Facts> = { price: { mode: "fixed", usd: "0" }, quote: async () => 0n, trial: false };
    return Object.assign(made, free, { ownersOnly: true }, facts) as unknown as AnyCapability;
  };
}

export type Own = ReturnType<typeof ownEndpoint>;

type OwnRun<Query> = (context: OwnContext, ctx: Context, query: Query) => Promise<unknown>;
