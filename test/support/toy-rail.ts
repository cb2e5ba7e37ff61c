/** A third family of networks: banknotes by their serial numbers, owned by people whose names tell case apart. */
import { z } from "zod";
import type { RailFamily } from "../../src/payment/rails/rail.js";
import { PaymentRefused } from "../../src/payment/x402/refusal.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";

export const TOY = "toy:town";

const note = z.object({ from: z.string(), to: z.string(), amount: z.string(), serial: z.string() });

export const toy: RailFamily = {
  matches: (network) => network.startsWith("toy:"),
  flawOf: () => undefined,
  isAddress: (text) => /^[A-Z][a-z]+$/i.test(text),
  plain: (address) => address,
  publicNode: () => undefined,
  facilitatorAccounts: {},
  needsSupported: () => false,
  needsSharedStore: false,
  create: ({ network, payTo }) => ({
    requirements: (amount, maxTimeoutSeconds): PaymentRequirements => ({
      ...{ scheme: "exact", network, amount: amount.toString(), asset: "notes", payTo, maxTimeoutSeconds, extra: {} },
    }),
    identify: async ({ payload }) => `toy:${note.safeParse(payload).data?.serial}`,
    async check({ payload }, { amount, payTo: owner }) {
      const { data: paid } = note.safeParse(payload);
      if (paid?.to !== owner || paid.amount !== amount)
        throw new PaymentRefused("PAYMENT_MISMATCH", "The notes are for somebody else, or too few.");
      return { id: `toy:${paid.serial}`, payer: paid.from, proven: true, signatureHash: paid.serial };
    },
    lookup: async () => ({ kind: "unknown" }),
  }),
};

/** A bank in this process: it takes each note once. */
export function toyBank(): Facilitator & { taken: string[] } {
  const taken: string[] = [];
  const serialOf = (payload: object) => z.object({ payload: note }).parse(payload).payload.serial;
  return {
    taken,
    supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: TOY }] }),
    verify: async (payload) => ({ isValid: !taken.includes(serialOf(payload)) }),
    async settle(payload) {
      taken.push(serialOf(payload));
      return { success: true, transaction: `entry ${taken.length}`, network: TOY };
    },
  };
}
