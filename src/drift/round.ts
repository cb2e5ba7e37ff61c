/** One round over all upstreams: each capability's live example once, in turn, at its providers' own pace. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, untilEnd } from "../capability/context.js";
import type { AnyCapability, Settings } from "../capability/types.js";
import type { Micros } from "../lib/money.js";
import { type Checked, checkCapability, isAskable, isMetered, liveInput } from "./check.js";
import { type DriftClass, worse } from "./classify.js";
import { type Observer, observe } from "./observe.js";

export interface RoundOptions {
  capabilities: readonly AnyCapability[];
  secrets: Record<string, string | undefined>;
  /** Names of settings that are keys: without `keyed` they are not used. */
  keyNames: readonly string[];
  keyed: boolean;
  /** Most that metered answers may cost together, at our own prices. */
  maxUsd: Micros;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  onProvider(name: string, worst: DriftClass): void;
  onChecked(checked: Checked): Promise<void>;
}

export interface Round {
  checked: Checked[];
  /** Capabilities whose key is not set, or not used. */
  withoutKey: string[];
  /** Capabilities that were left out for their cost, or for a package that is not installed. */
  leftOut: string[];
  /** Capabilities that cost something and of which no price could be told, so that they were not asked. */
  unpriced: string[];
}

/** Asks in turn, so that the answers of one capability are told from those of another. */
export async function askAll(options: RoundOptions): Promise<Round> {
  const round: Round = { checked: [], withoutKey: [], leftOut: [], unpriced: [] };
  const secrets = options.keyed ? options.secrets : withoutKeys(options);
  const setting = (name: string) => secrets[name] || undefined;
  // An own folder, so that bulk files are downloaded anew, and those of a service are left alone.
  const dataDir = await mkdtemp(join(tmpdir(), "coinslot-live-"));
  const asking: Asking = {
    ...{ options, round, secrets, dataDir, left: options.maxUsd },
    observer: observe(options.fetch),
    settings: { secret: setting, setting },
  };
  try {
    for (const [provider, capabilities] of byProvider(options.capabilities, asking.settings)) {
      const classes: DriftClass[] = [];
      for (const capability of capabilities) classes.push(...(await askOne(capability, asking)));
      if (classes.length > 0) options.onProvider(provider, classes.reduce(worse, "ok"));
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return round;
}

interface Asking {
  options: RoundOptions;
  round: Round;
  secrets: RoundOptions["secrets"];
  settings: Settings;
  dataDir: string;
  observer: Observer;
  /** Amount that metered answers may still cost. */
  left: Micros;
}

async function askOne(capability: AnyCapability, asking: Asking): Promise<DriftClass[]> {
  const { options, round, secrets, settings, dataDir, observer } = asking;
  const { clock, keyNames } = options;
  const lacking = lackOf(capability, settings, options.keyed);
  if (lacking) {
    round[lacking].push(capability.id);
    return [];
  }
  if (isMetered(capability, settings)) {
    const price = await priceOf(capability, { secrets, dataDir, fetch: observer.fetch, clock });
    if (price === undefined || price > asking.left) {
      round[price === undefined ? "unpriced" : "leftOut"].push(capability.id);
      // The quote's own requests say nothing about the next capability.
      observer.take();
      return [];
    }
    asking.left -= price;
  }
  const keyed = hasKey(capability, settings, keyNames);
  const checked = await checkCapability(capability, { observer, options: { secrets, dataDir }, clock, keyed });
  await options.onChecked(checked);
  // Answers can be large, and nothing needs them any more.
  round.checked.push({ ...checked, exchanges: [] });
  return checked.verdicts.map((verdict) => verdict.class);
}

const withoutKeys = ({ secrets, keyNames }: RoundOptions): RoundOptions["secrets"] => ({
  ...secrets,
  ...Object.fromEntries(keyNames.map((name) => [name, undefined])),
});

/** Why a capability is not asked. */
function lackOf(capability: AnyCapability, settings: Settings, keyed: boolean): "withoutKey" | "leftOut" | undefined {
  if (capability.requiresAt(settings).some((name) => !settings.secret(name))) return "withoutKey";
  if (isMetered(capability, settings) && !keyed) return "withoutKey";
  return capability.unmet().length > 0 ? "leftOut" : undefined;
}

/** By the first of their upstreams. */
function byProvider(capabilities: readonly AnyCapability[], settings: Settings): Map<string, AnyCapability[]> {
  const found = new Map<string, AnyCapability[]>();
  for (const capability of capabilities.filter((one) => isAskable(one, settings))) {
    const [{ name } = { name: capability.id }] = capability.originsAt(settings).filter(({ packaged }) => !packaged);
    found.set(name, [...(found.get(name) ?? []), capability]);
  }
  return found;
}

/** A refusal with a key concerns the key. */
const hasKey = (capability: AnyCapability, settings: Settings, keyNames: readonly string[]): boolean =>
  capability.requiresAt(settings).some((name) => keyNames.includes(name));

/** The price of the live example; undefined if it cannot be told. */
async function priceOf(
  capability: AnyCapability,
  options: Parameters<typeof createContext>[0],
): Promise<Micros | undefined> {
  const ctx = createContext({ ...options, cache: false }, { timeoutMs: capability.timeoutMs });
  const quote = async () => {
    const { input } = await capability.parse(liveInput(capability, ctx.clock()), ctx);
    return capability.quote(input, ctx);
  };
  return untilEnd(ctx, quote()).catch(() => undefined);
}
