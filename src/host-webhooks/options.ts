/** Webhooks to the host itself: where they go, what they tell, and how they are signed. */
import { type ChecksOf, hidden, listOf, needed, shape } from "../lib/options/check.js";
import { oneOf, webAddress } from "../lib/options/kinds.js";

const HOST_EVENTS = [
  "sale",
  "refund",
  "settlement.pending",
  "settlement.lost",
  "refund.owed",
  "channel.loss",
  "balance.low",
  "grant.low",
  "grant.expired",
  "job.done",
  "job.failed",
  "account.closed",
  "refund.requested",
  "budget",
  "drift",
] as const;
export type HostEvent = (typeof HOST_EVENTS)[number];

export interface HostWebhook {
  /** Gets a POST for each event. Any address that the host reaches, inside its network, too. */
  url: string;
  /** Signs by Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
  secret: string;
  /** Default: all. */
  events?: readonly HostEvent[];
}

/** The bytes of a secret; undefined for a text that is none. */
export function secretBytes(secret: unknown): Buffer | undefined {
  const [, base64] = (typeof secret === "string" && /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)) || [];
  const bytes = base64 === undefined ? undefined : Buffer.from(base64, "base64");
  return bytes && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

const A_SECRET = "whsec_ and 24 to 64 random bytes in base64: echo whsec_$(openssl rand -base64 32)";

const WEBHOOK: ChecksOf<HostWebhook> = {
  url: needed(webAddress, "where the events go."),
  secret: needed(
    hidden(A_SECRET, (value) => secretBytes(value) !== undefined),
    A_SECRET,
  ),
  events: listOf(oneOf(...HOST_EVENTS), { least: 1 }),
};

export const webhooksOptions = listOf(shape<HostWebhook>(WEBHOOK), { most: 20 });
