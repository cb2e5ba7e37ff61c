/**
 * Credit that a service keeps for its payer: tokens from its answers, sent with the next calls until they are spent.
 */
import { type Micros, toMicros } from "../lib/money.js";
import type { CallMeta } from "../request/respond.js";
import { unitsOf } from "./signed.js";

const CREDIT_HEADER = /^x-[a-z0-9-]+-credit$/;

/** The token as an answer contained it, and as a request sends it. */
export interface CreditToken {
  /** Such as `x-svc-credit`. */
  header: string;
  token: string;
}

export interface Credit extends CreditToken {
  /** Undefined for a token of an earlier client. */
  balance: Micros | undefined;
}

export interface Credits {
  /** The credit to send now. */
  current(): Credit | undefined;
  /** Records a new token, and the amount that a call took from the token it sent. */
  note(headers: Headers, meta: CallMeta | undefined, presented: Credit | undefined): void;
  drop(credit: Credit): void;
  tokens(): CreditToken[];
}

export function createCredits(given: readonly CreditToken[]): Credits {
  const credits: Credit[] = given.map(({ header, token }) => ({ header, token, balance: undefined }));
  const drop = (credit: Credit) => {
    const at = credits.indexOf(credit);
    if (at >= 0) credits.splice(at, 1);
  };
  return {
    current: () => credits[0],
    note(headers, meta, presented) {
      if (presented?.balance !== undefined && meta) {
        presented.balance -= takenFromCredit(meta);
        if (presented.balance <= 0n) drop(presented);
      }
      for (const [header, token] of headers) {
        if (!CREDIT_HEADER.test(header) || credits.some((one) => one.token === token)) continue;
        const credited = meta?.usage?.creditedUsd;
        credits.push({ header, token, balance: credited === undefined ? undefined : usdOf(credited) });
      }
    },
    drop,
    tokens: () => credits.map(({ header, token }) => ({ header, token })),
  };
}

/** The amount that left the wallet for a call and did not return on chain. */
function spentOn({ payment, usage }: CallMeta): Micros {
  if (!payment) return 0n;
  const left = (unitsOf(payment.amount) ?? 0n) - usdOf(usage?.returnedUsd);
  return left > 0n ? left : 0n;
}

/** Cost of a call beyond its payment, which came out of the credit. */
function takenFromCredit(meta: CallMeta): Micros {
  const { creditedUsd, owedUsd } = meta.usage ?? {};
  const kept = spentOn(meta) - usdOf(creditedUsd) - usdOf(owedUsd);
  return usdOf(meta.costUsd) - kept;
}

/** An amount in an answer; 0 if it is invalid. */
function usdOf(text: unknown): Micros {
  try {
    return toMicros(String(text ?? "0"));
  } catch {
    return 0n;
  }
}
