/**
 * The extension `auth-hints`: offers for which the caller has to say who it is, beside the payment. Whoever that is need not be
 * the payer. Judged before the payment is shown to anybody.
 */
import type { Host } from "../host/host.js";
import { atMost } from "../lib/abort.js";
import { type AuthHintsOptions, asksForSignIn } from "../payment/options/auth-hints.js";
import { ownPayment } from "../payment/options/edge.js";
import { networkId } from "../payment/x402/networks.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import type { Call } from "./call.js";
import { accountBeside } from "./sign-in.js";

const NAME = "auth-hints";
/** As a host's own login. */
const VERIFY_MS = 10_000;

type Offer = { scheme: string; network: string };

const hintsOf = ({ options }: Host): AuthHintsOptions | undefined => ownPayment(options.payment)?.authHints;

const applies = ({ networks, schemes }: AuthHintsOptions, { scheme, network }: Offer): boolean =>
  (networks?.map(networkId).includes(network) ?? true) && ((schemes as readonly string[])?.includes(scheme) ?? true);

/** The extension of a 402 with these offers, in this order; empty if none of them asks for it. */
export function authHintsFor(host: Host, accepts: readonly Offer[]): Record<string, unknown> {
  const hints = hintsOf(host);
  const acceptIndexes = hints ? accepts.flatMap((offer, index) => (applies(hints, offer) ? [index] : [])) : [];
  if (!hints || acceptIndexes.length === 0) return {};
  return { [NAME]: { info: { authRequirements: [{ acceptIndexes, methods: hints.methods }] }, schema } };
}

/** Rejects with PaymentRefused if a payment's offer asks who the caller is, and the request does not say. */
export async function assertAuthenticated(call: Call, offer: Offer): Promise<void> {
  const hints = hintsOf(call.host);
  if (!hints || !applies(hints, offer)) return;
  if (asksForSignIn(hints) && (await accountBeside(call)) !== undefined) return;
  const isGood = hints.verify && (await verified(call, hints.verify));
  if (isGood === true) return;
  const ways = [...new Set(hints.methods.map(({ type }) => type))].join(" or ");
  throw new PaymentRefused(
    "SIGN_IN_REFUSED",
    `This offer is for callers who say who they are beside the payment: ${ways}.`,
    {
      signIn: asksForSignIn(hints),
    },
  );
}

/** A host that cannot judge refuses nobody for good: the call fails, and nothing is charged. */
async function verified({ caller }: Call, verify: NonNullable<AuthHintsOptions["verify"]>): Promise<unknown> {
  const { url, method, headers } = caller.toRequest();
  return atMost(VERIFY_MS, async () => verify(new Request(url, { method, headers }))).catch((cause: unknown) => {
    throw new Error("payment.authHints.verify failed", { cause });
  });
}

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    authRequirements: {
      type: "array",
      items: {
        type: "object",
        properties: {
          acceptIndexes: { type: "array", items: { type: "integer" } },
          methods: {
            type: "array",
            items: { type: "object", properties: { type: { type: "string" } }, required: ["type"] },
          },
        },
        required: ["acceptIndexes", "methods"],
      },
    },
  },
  required: ["authRequirements"],
} as const;
