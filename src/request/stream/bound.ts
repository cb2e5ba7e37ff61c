/** Open streams of each payer: what its readers have not taken is held in memory, so their number is bounded. */
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { identify } from "../../payment/trial/caller.js";
import type { Call } from "../call.js";

/** Fewer than the places at any gateway, so that one payer never has them all. */
const DEFAULT_MOST = 16;

const open = /* @__PURE__ */ new WeakMap<Host, Map<string, number>>();

/** Takes one of the caller's places for a stream; returns the function that gives it back. Rejects with RATE_LIMITED. */
export async function openPlace({ host, event, info }: Call): Promise<() => void> {
  const counts = open.get(host) ?? new Map<string, number>();
  open.set(host, counts);
  const payer = event.payer ?? `caller:${(await identify(info.clientAddress, host.store)).key}`;
  const count = counts.get(payer) ?? 0;
  const most = host.options.maxStreamsPerPayer ?? DEFAULT_MOST;
  // guard: streams of one payer are bounded | gone | ai-stream-leavers
  if (count >= most) throw tooMany(most);
  counts.set(payer, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (counts.get(payer) ?? 1) - 1;
    if (left > 0) counts.set(payer, left);
    else counts.delete(payer);
  };
}

const tooMany = (most: number) =>
  new CapabilityError(
    "RATE_LIMITED",
    `One payer may have ${most} streams open at a time; end one, or wait for its end. Nothing was charged.`,
    { retryAfter: 2, excused: true },
  );
