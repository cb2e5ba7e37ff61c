/** Grants as the record of an account has them: calls or money, for some endpoints, from a time until another. */
import { z } from "zod";
import { once } from "../../../lib/lazy.js";

export const micros = once(() => z.string().transform(BigInt));

export const storedGrant = once(() =>
  z.object({
    id: z.string(),
    /** True if it was bought; what is given away is used first. */
    paid: z.literal(true).optional(),
    note: z.string().optional(),
    /** Of the host's product that was bought. */
    product: z.string().optional(),
    /** Id of the payment that bought it. */
    payment: z.string().optional(),
    title: z.string().optional(),
    /** A part of the balance, or calls beside it; with neither it pays every call until it ends. */
    usd: z.object({ total: micros(), left: micros() }).optional(),
    calls: z.object({ total: z.number(), left: z.number() }).optional(),
    /** Absent for all endpoints. */
    endpoints: z.array(z.string()).optional(),
    from: z.number(),
    until: z.number().optional(),
    /** True once a fifth or less of it was left. */
    low: z.literal(true).optional(),
    ended: z.object({ at: z.number(), as: z.enum(["expired", "used"]) }).optional(),
  }),
);
export type StoredGrant = z.infer<ReturnType<typeof storedGrant>>;

/** The part of a call that a grant pays: some of its price, or all of it as one of its calls. */
export const grantPart = once(() =>
  z.object({
    id: z.string(),
    usd: micros(),
    isCall: z.literal(true).optional(),
    paid: z.literal(true).optional(),
    until: z.number().optional(),
  }),
);
export type GrantPart = z.infer<ReturnType<typeof grantPart>>;

/** Facts of a closed account, with amounts in decimal USD. */
const closedFacts = once(() =>
  z.object({
    closedAt: z.string(),
    keptUntil: z.string(),
    refundedUsd: z.string(),
    /** Of the rest one of the two. */
    forfeitedUsd: z.string(),
    owedUsd: z.string(),
  }),
);
export type ClosedFacts = z.infer<ReturnType<typeof closedFacts>>;

/** An event that is stored with the change that it tells of, until the webhooks have it. */
export const untoldEvent = once(() =>
  z.union([
    z.object({ type: z.enum(["grant.low", "grant.expired"]), at: z.number(), grant: storedGrant() }),
    z.object({ type: z.literal("account.closed"), at: z.number(), closed: closedFacts() }),
  ]),
);
export type UntoldEvent = z.infer<ReturnType<typeof untoldEvent>>;
