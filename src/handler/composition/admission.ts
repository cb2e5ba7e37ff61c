/** Who may buy here, and OFAC's list of digital currency addresses, kept in this process and read anew by its age. */

import { createContext } from "../../capability/context.js";
import type { HostOptions } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import type { Resources } from "../../lib/resources.js";
import { HOUR_MS } from "../../lib/time.js";
import { type Admission, createAdmission } from "../../payment/admission/admission.js";
import type { PayersOptions } from "../../payment/admission/options.js";
import { plainAnywhere } from "../../payment/networks/accounts.js";
import { ownPayment } from "../../payment/options/edge.js";

/** The cache of upstreams keeps the files for a day; this only spares their parsing. */
const FRESH_MS = HOUR_MS;
const READ_MS = 30_000;

const provider = lazy(() => import("../../providers/ofac/digital-currency.js"));

export interface Sanctions {
  /** Whether an address is listed, under whichever currency. Rejects if a list cannot be read. */
  has(address: string): Promise<boolean>;
  read(): Promise<ReadonlySet<string>>;
}

/** Who may buy here. */
export function openAdmission(
  options: HostOptions,
  { resources, payersNow }: { resources: Resources; payersNow: () => PayersOptions | undefined },
): { admission: Admission | undefined; sanctions: Sanctions | undefined } {
  const sanctions = options.sanctions ? createSanctions(options, resources) : undefined;
  const isSanctioned = async (address: string) => (await sanctions?.has(address)) ?? false;
  return { sanctions, admission: createAdmission(options, { logger: options.logger, isSanctioned, payersNow }) };
}

function createSanctions(options: HostOptions, resources: Resources): Sanctions {
  const networks = Object.keys(ownPayment(options.payment)?.treasury ?? {});
  const onSolana = networks.some((network) => network.startsWith("solana:"));
  let last: { at: number; addresses: Promise<ReadonlySet<string>> } | undefined;

  async function fetchAll(): Promise<ReadonlySet<string>> {
    const { CURRENCIES, readListsOf } = await provider();
    const ctx = createContext(options, { timeoutMs: READ_MS, resources });
    try {
      const { listed, failure } = await readListsOf(ctx, onSolana ? [...CURRENCIES, "SOL"] : CURRENCIES);
      // A wallet may be on the list that is missing, so nobody is cleared without it.
      // guard: policy: nobody is cleared by a sanctions list that was read in part | gone | handler/policy
      if (failure !== undefined) throw failure;
      return new Set(listed.map(({ address }) => plainAnywhere(address)));
    } finally {
      ctx.end();
    }
  }

  async function read(): Promise<ReadonlySet<string>> {
    const now = performance.now();
    if (last && now - last.at < FRESH_MS) return last.addresses;
    const reading = { at: now, addresses: fetchAll() };
    last = reading;
    // A failed reading is repeated by the next call.
    reading.addresses.catch(() => {
      if (last === reading) last = undefined;
    });
    return reading.addresses;
  }

  return { read, has: async (address) => (await read()).has(plainAnywhere(address)) };
}
