/** The endpoint at which wallets buy a balance. It is mounted where the host sells some. */
import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { legacy } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { exactMicros, fromMicros, type Micros, toMicros } from "../../lib/money.js";
import type { PaymentAccounts } from "../../payment/accounts/accounts.js";
import { TOP_UP, type TopUpOptions } from "../../payment/options/accounts.js";

/** Money that was paid in comes from nobody else. */
export const OWN = { provider: "none", url: "", license: "none" };

interface TopUpContext {
  options: TopUpOptions;
  /** Whether keys can be asked for. */
  keys: boolean;
  accounts(): PaymentAccounts | undefined;
}

interface Amounts {
  min: Micros;
  max: Micros;
  /** Undefined if all within the bounds are sold. */
  only: readonly string[] | undefined;
}

/** Throws a TypeError for amounts that contradict one another. */
function amountsOf({ minUsd, maxUsd, amountsUsd }: TopUpOptions): Amounts {
  if (amountsUsd !== undefined && (minUsd ?? maxUsd) !== undefined)
    throw new TypeError("accounts.topUp takes either amountsUsd, or minUsd and maxUsd.");
  if (amountsUsd) {
    const sums = amountsUsd.map(exactMicros).sort((a, b) => (a < b ? -1 : 1));
    return { min: sums[0] ?? 0n, max: sums.at(-1) ?? 0n, only: sums.map(fromMicros) };
  }
  if (minUsd === undefined || maxUsd === undefined)
    throw new TypeError("accounts.topUp needs minUsd and maxUsd, or amountsUsd.");
  const bounds = { min: exactMicros(minUsd), max: exactMicros(maxUsd), only: undefined };
  if (bounds.min > bounds.max) throw new TypeError("accounts.topUp.minUsd must be at most maxUsd.");
  return bounds;
}

export function createTopUp({ options, keys, accounts }: TopUpContext) {
  const { min, max, only } = amountsOf(options);
  const [least, most] = [fromMicros(min), fromMicros(max)];
  const sold = only ? only.join(", ") : `${least} to ${most}`;
  return defineCapability({
    id: TOP_UP,
    method: "POST",
    summary:
      "Buy a balance here with one payment: the wallet, or the account of a key, spends it by later calls without another one.",
    keywords: ["prepaid", "balance", "deposit", "credit", "api key", "top up", "fund"],
    price: {
      min: least,
      max: most,
      quote: async ({ usd }) => toMicros(usd),
    },
    // As if composed: a markup on money would take some of it.
    composeQuote: async ({ usd }) => toMicros(usd),
    batchable: false,
    offline: true,
    source: OWN,
    input: () =>
      z.strictObject({
        usd: z
          .string()
          .regex(/^\d{1,9}(?:\.\d{1,6})?$/)
          .describe(`US dollars: ${sold}`),
        key: z.boolean().default(false).describe("Whether to answer with a new key, which is shown once"),
      }),
    output: legacy(answer),
    example: { usd: least },
    check({ usd, key }) {
      const amount = exactMicros(usd);
      if (amount < min || amount > max || (only && !only.includes(fromMicros(amount))))
        throw invalid("usd", `must be ${only ? "one of " : ""}${sold}`);
      assertKeys(keys, key);
    },
    run: ({ key }, { wallet }) => boughtBy(accounts(), { payment: wallet?.callId, key }),
  });
}

/** The answer of all that is bought for an account. */
export const answer = () =>
  z.object({
    account: z.string().describe("The account that has it: of a wallet its CAIP-10 name"),
    balanceUsd: z.string().describe("All that the account has now, in US dollars"),
    grant: z.looseObject({ id: z.string(), usd: z.string().optional(), leftUsd: z.string().optional() }),
    key: z.string().optional().describe("Sent as `Authorization: Bearer …`; in the first answer alone"),
    keyShown: z.boolean().optional().describe("True in a repetition of an answer that had a key"),
  });

export function assertKeys(keys: boolean, key: boolean): void {
  if (key && !keys) throw invalid("key", "must be false: this service gives no keys");
}

export async function boughtBy(
  accounts: PaymentAccounts | undefined,
  { payment, key }: { payment: string | undefined; key: boolean },
) {
  const bought = await accounts?.bought();
  if (!bought || payment === undefined) throw new CapabilityError("WALLET_REQUIRED", "It is bought by a payment.");
  const { grant, ...facts } = await bought.find(payment);
  return { ...facts, grant: { ...grant }, ...(key ? { keyShown: true } : {}) };
}

/** The answer to the payment itself, with the key that no repetition has. */
export async function withKey(accounts: PaymentAccounts, body: string): Promise<string> {
  const { keyShown: _, ...answer } = JSON.parse(body) as { account: string; keyShown: boolean };
  const { key } = await (await accounts.keyring()).create(answer.account, { label: "top-up" });
  return JSON.stringify({ ...answer, key });
}
