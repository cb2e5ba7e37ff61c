/** Records of calls whose buyers may ask for their money back, and of those who did. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";

/** A call that a wallet paid for, as it was told at its end. */
export const paidCall = once(() =>
  z.object({ endpoint: z.string(), payer: z.string(), network: z.string(), usd: z.string(), at: z.number() }),
);
export type PaidCall = z.infer<ReturnType<typeof paidCall>>;

export const paidCallKey = (host: string, requestId: string): string => `refundable:${host} ${requestId}`;

const STATES = ["queued", "approved", "declined", "returned", "credited", "owed"] as const;

export const request = once(() =>
  z.object({
    requestId: z.string(),
    endpoint: z.string(),
    /** The price of the call; of one that is approved in part, that part. */
    usd: z.string(),
    part: z.string().optional(),
    payer: z.string().optional(),
    network: z.string().optional(),
    account: z.string().optional(),
    soldAt: z.number(),
    askedAt: z.number(),
    /** The buyer's words. */
    reason: z.string().optional(),
    /** `approved` until the money is on its way. */
    state: z.enum(STATES),
    /** Who decided, and the host's words. */
    by: z.string().optional(),
    note: z.string().optional(),
    decidedAt: z.number().optional(),
    transaction: z.string().optional(),
  }),
);
export type StoredRequest = z.infer<ReturnType<typeof request>>;

export const requestPrefix = (host: string): string => `refund-request:${host} `;

/** A request as the host sees it; times in ISO 8601, amounts in decimal USD. */
export interface RequestedRefund {
  requestId: string;
  endpoint: string;
  usd: string;
  payer?: string;
  network?: string;
  account?: string;
  soldAt: string;
  askedAt: string;
  reason?: string;
  state: StoredRequest["state"];
  by?: string;
  note?: string;
  decidedAt?: string;
  transaction?: string;
}

const iso = (at: number) => new Date(at).toISOString();

export function shownRequest({ soldAt, askedAt, decidedAt, part, usd, ...facts }: StoredRequest): RequestedRefund {
  const told = {
    ...{ ...facts, usd: part ?? usd, soldAt: iso(soldAt), askedAt: iso(askedAt) },
    ...(decidedAt === undefined ? {} : { decidedAt: iso(decidedAt) }),
  };
  return Object.fromEntries(
    Object.entries(told).filter(([, value]) => value !== undefined),
  ) as unknown as RequestedRefund;
}
