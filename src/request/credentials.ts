/** Credentials of a request, read from its headers: a payment, credit or a trial. */
import type { AnyCapability } from "../capability/types.js";
import { invalid } from "../errors.js";
import { readCredential } from "../payment/mpp/credential.js";
import type { Credentials } from "../payment/order/order.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { type PaymentPayload, readPayment } from "../payment/x402/wire.js";
import { type Call, publicPrefix } from "./call.js";
import { signInOf } from "./sign-in.js";

/** Undefined without credentials. Throws INVALID_INPUT for an unknown way to ask for a trial. */
export function readCredentials(call: Call, capability: AnyCapability): Credentials | undefined {
  // HEAD describes the answer to GET, and never runs or charges.
  if (call.request.method === "HEAD") return undefined;
  const { edge } = call.host.payments;
  return edge ? edgeToken(call, edge) : ownCredentials(call, capability);
}

function ownCredentials(call: Call, capability: AnyCapability): Credentials | undefined {
  const { headers } = call.request;
  const trial = readTrial(call);
  let payment: PaymentPayload | undefined;
  let refused: PaymentRefused | undefined;
  try {
    payment = readPayment(headers) ?? (call.host.payments.mpp ? readCredential(headers) : undefined);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    refused = error;
  }
  const creditToken = headers.get(`x-${call.host.brand.slug}-credit`) ?? undefined;
  const signIn = !trial && !payment && !refused ? signInOf(call, capability) : undefined;
  if (!trial && !payment && !refused && !creditToken && signIn === undefined) return undefined;
  return {
    trial,
    ...(signIn === undefined ? {} : { signIn }),
    ...(creditToken ? { creditToken } : {}),
    ...(payment ? { payment } : {}),
    ...(refused ? { refused } : {}),
  };
}

/** Nothing but the edge's token pays where an edge takes the payments; a tool's call inside another has none. */
function edgeToken(call: Call, { header, origin }: { header: string; origin: string }): Credentials | undefined {
  const token = call.request.headers.get(header);
  if (token === null) return undefined;
  const { pathname, search } = call.url;
  return { trial: false, edge: { token, url: origin + publicPrefix(call) + pathname + search } };
}

/** Header and query select the same trial; 1 is their only value. */
function readTrial({ host, request, url }: Call): boolean {
  const name = `x-${host.brand.slug}-trial`;
  const header = request.headers.get(name);
  if (header !== null && header.trim() !== "1") throw invalid(name, "must be 1, the only value it takes");
  if (url.search === "") return header !== null;
  const query = url.searchParams.getAll("trial");
  if (query.some((value) => value !== "1")) throw invalid("trial", "must be 1, the only value it takes");
  return header !== null || query.length > 0;
}
