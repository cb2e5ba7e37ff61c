/** Which capability of which provider a running service asks next. */
import { createHash } from "node:crypto";
import type { AnyCapability, Settings } from "../capability/types.js";

/** The provider by whose turn a capability is asked; undefined for one that costs something or has nothing to ask. */
export function providerOfTurn(capability: AnyCapability, settings: Settings): string | undefined {
  const { live, resold, wallet, offline } = capability;
  if (live === false || resold || wallet || offline || capability.unmet().length > 0) return undefined;
  const required = capability.requiresAt(settings);
  const metered = live?.metered ?? required.length > 0;
  // guard: live: what costs money is not asked by itself | - metered || | handler/live
  if (metered || required.some((name) => !settings.secret(name))) return undefined;
  return capability.originsAt(settings).find(({ packaged }) => !packaged)?.name;
}

interface Mounted {
  capabilities: readonly AnyCapability[];
  settings: Settings;
}

/** Capabilities by the provider of their turn. */
export function rotationOf({ capabilities, settings }: Mounted): Map<string, AnyCapability[]> {
  const found = new Map<string, AnyCapability[]>();
  for (const capability of capabilities) {
    const name = providerOfTurn(capability, settings);
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), capability]);
  }
  return found;
}

/** The endpoint that fails most is asked first; else all take turns. */
export function nextInRotation(
  capabilities: readonly AnyCapability[],
  turn: number,
  failuresOf: (id: string) => number,
): AnyCapability | undefined {
  const [worst] = [...capabilities].sort((a, b) => failuresOf(b.id) - failuresOf(a.id));
  return worst && failuresOf(worst.id) > 0 ? worst : capabilities[turn % capabilities.length];
}

/** A place in the period, 0 to 1, which is the same at every instance. */
export const shareOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
