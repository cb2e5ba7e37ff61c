/** Checks of a running service: one call of each provider a period, by one process of all, spread over it. */
import type { AnyCapability, SeenKeys } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import type { Payer } from "../lib/threads/payer.js";
import { HOUR_MS } from "../lib/time.js";
import type { EndedCallEvent } from "../payment/events/events.js";
import { tellFailure, tellRecovery } from "./alerts.js";
import type { LiveDeps } from "./deps.js";
import { createHealthRecord, type EndpointState, type HealthRecord, isClosed } from "./health-record.js";
import { createKeyWatch, type GoneKey } from "./key-watch.js";
import { nextInRotation, providerOfTurn, rotationOf, shareOf } from "./rotation.js";

/** Loaded by the first check that is due. */
const checks = /* @__PURE__ */ lazy(() => import("./service-check.js"));

export interface Live {
  /** Reads what other instances know, if the last reading is old. */
  fresh(): Promise<void> | undefined;
  /** Throws UPSTREAM_DRIFT if the endpoint is not sold, because its upstream changed. */
  assertSound(id: string): void;
  /** Why it is not sold, for buyers; undefined if it is. */
  reasonOf(id: string): string | undefined;
  /** Endpoints with failures in a row. */
  failing(): FailingEndpoint[];
  /** Asks the providers that are due; starts no check after `endsAt` (of `performance.now()`). Resolves to their number. */
  run(endsAt: number): Promise<number>;
  /** Notes how a caller's call ended. */
  note(event: EndedCallEvent): void;
  /** Notes the keys of the answers that an endpoint reads. */
  watches(id: string, payer: Payer | undefined): (seen: SeenKeys) => void;
  /** Resolves when what was noted is stored. */
  settled(): Promise<void>;
}

export interface FailingEndpoint extends EndpointState {
  id: string;
  available: boolean;
}

export function createLive(deps: LiveDeps): Live {
  const { options, store, name, now, logger } = deps;
  const health = createHealthRecord({ store, name, now });
  const keys = createKeyWatch({ store, name, now });
  const noted = new Set<Promise<unknown>>();
  const periodMs = options.everyHours * HOUR_MS;
  const failingAt = (id: string) =>
    Object.hasOwn(health.known.endpoints, id) ? health.known.endpoints[id] : undefined;
  const closedAt = (id: string) => {
    const state = failingAt(id);
    return state && isClosed(state, now()) ? state : undefined;
  };
  const nextCheckOf = (id: string) => {
    const capability = deps.capabilities.find((one) => one.id === id);
    const turn = capability && providerOfTurn(capability, deps.settings);
    return turn === undefined ? undefined : health.known.providers[turn]?.next;
  };
  const later = (work: Promise<unknown>) => {
    const done = work.catch((error: unknown) =>
      logger.warn({ error }, "live: the result of a check could not be stored; later calls are noted anew"),
    );
    noted.add(done);
    done.finally(() => noted.delete(done));
  };

  /** Counts that no later answer stored. */
  async function flushKeys(): Promise<void> {
    if (keys.isPending()) await noteGone(await keys.flush(), { ...deps, health });
  }

  async function askInTurn(provider: string, capabilities: readonly AnyCapability[]): Promise<boolean> {
    if ((health.known.providers[provider]?.next ?? Number.POSITIVE_INFINITY) > now()) return false;
    const turn = await health.take(provider);
    if (turn === undefined) return false;
    const capability = nextInRotation(capabilities, turn, (id) => failingAt(id)?.failures ?? 0);
    try {
      if (capability) await (await checks()).checkOne(capability, { ...deps, health, periodMs });
    } finally {
      // A closed endpoint is checked more often, so that it comes back soon.
      const closed = capabilities.some(({ id }) => closedAt(id));
      await health.end(provider, now() + (closed ? Math.min(periodMs, HOUR_MS) : periodMs));
    }
    return true;
  }

  return {
    fresh: () => health.fresh(),
    assertSound(id) {
      const state = closedAt(id);
      if (!state) return;
      const next = state.opensAt ?? nextCheckOf(id) ?? now() + HOUR_MS;
      throw new CapabilityError("UPSTREAM_DRIFT", `${id}: ${REASON} Nothing was charged.`, {
        excused: true,
        retryAfter: Math.max(1, Math.ceil((next - now()) / 1000)),
      });
    },
    reasonOf: (id) => (closedAt(id) ? REASON : undefined),
    failing: () =>
      Object.entries(health.known.endpoints).flatMap(([id, state]) =>
        state.failures > 0 ? [{ ...state, id, available: !isClosed(state, now()) }] : [],
      ),
    async run(endsAt) {
      await flushKeys();
      await health.fresh();
      const turns = rotationOf(deps);
      const unknown = [...turns.keys()].filter((provider) => !health.known.providers[provider]);
      const firsts = unknown.map((provider) => [provider, now() + shareOf(`${name} ${provider}`) * periodMs]);
      if (unknown.length > 0) await health.schedule(Object.fromEntries(firsts));
      let count = 0;
      for (const [provider, capabilities] of turns)
        if (performance.now() < endsAt && (await askInTurn(provider, capabilities))) count++;
      return count;
    },
    note(event) {
      const outcome = outcomeOf(event);
      if (outcome === "failed") later(noteFailure(event, { ...deps, health }));
      else if (outcome === "answered" && failingAt(event.id)?.failures) later(notePass(event.id, { ...deps, health }));
    },
    watches: (id, payer) => (seen) => {
      // Strangers cost nothing to invent, so they have no voice.
      keys.note(id, seen, payer?.isKnown ? payer.name : undefined);
      if (keys.isDue()) later(keys.flush().then((gone) => noteGone(gone, { ...deps, health })));
    },
    async settled() {
      await Promise.all(noted);
      await flushKeys();
    },
  };
}

const REASON = "Its source changed its answers, so it is not sold until they can be read again.";

/** Whether a call failed on an answer that our reader refused, or was answered with data. */
function outcomeOf({ outcome, caller, code, status }: EndedCallEvent): "failed" | "answered" | undefined {
  if (caller === "none" || outcome === "replayed") return undefined;
  if (code === "UPSTREAM_SCHEMA") return "failed";
  return status === 200 ? "answered" : undefined;
}

interface Noting extends LiveDeps {
  health: HealthRecord;
}

async function noteFailure({ id, error, caller, payer }: EndedCallEvent, deps: Noting): Promise<void> {
  const { differenceIn } = await checks();
  const capability = deps.capabilities.find((one) => one.id === id);
  const provider = capability?.source.provider ?? id;
  const difference = differenceIn(error);
  const what = difference ? `${difference.path} is refused` : "refused by our reader";
  const asked = capability && providerOfTurn(capability, deps.settings);
  // A trial costs nothing, so whoever has addresses could speak with many voices.
  const paidBy = caller === "paid" || caller === "account" ? { payer } : {};
  const failure = await deps.health.fail(id, { class: "parser", provider, what, asked, by: "call", ...paidBy });
  const event = { kind: "drift", id, provider, class: "parser", failures: failure.state.failures, by: "call" } as const;
  await tellFailure(deps, { ...event, differences: difference ? [difference] : [] }, failure);
}

/** Warns of a key that few answers of a day have, and stops the sale of its endpoint once that is certain. */
async function noteGone(gone: readonly GoneKey[], deps: Noting): Promise<void> {
  for (const { endpoint: id, provider, key, lacked, answers, payers, closes } of gone) {
    const what = `${key} is missing in ${lacked} of ${answers} answers`;
    deps.logger.warn({ endpoint: id, provider, class: "shape", what }, "live: an upstream dropped a field");
    if (!closes) continue;
    const capability = deps.capabilities.find((one) => one.id === id);
    const asked = capability && providerOfTurn(capability, deps.settings);
    const failure = await deps.health.close(id, { class: "shape", provider, what, asked, by: "call", payers });
    const differences = [{ path: key, was: "known", now: "missing", count: lacked, of: answers }];
    const event = {
      kind: "drift",
      id,
      provider,
      class: "shape",
      failures: failure.state.failures,
      by: "call",
    } as const;
    await tellFailure(deps, { ...event, differences }, failure);
  }
}

async function notePass(id: string, deps: Noting): Promise<void> {
  const { class: own = "parser", provider = id } = deps.health.known.endpoints[id] ?? {};
  const event = { kind: "drift", outcome: "recovered", id, provider, class: own as "parser" } as const;
  if (await tellRecovery(deps, { ...event, differences: [], failures: 0, by: "call" }))
    deps.logger.info({ endpoint: id }, "live: an upstream can be read again, and its endpoint is sold");
}
