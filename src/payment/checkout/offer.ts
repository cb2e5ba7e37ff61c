import { invalid } from "../../errors.js";
import type { Call } from "../../request/call.js";
import { PaymentRefused } from "../x402/refusal.js";
import { type PresentedPayment, readPayment } from "../x402/wire.js";

/** What the caller brings for the call: a claim to its free trial, a payment, both or nothing. */
export interface Offer {
  trial: boolean;
  /** The bearer token of credit from an earlier call. */
  creditToken?: string;
  payment?: PresentedPayment;
  /** A payment header that cannot be read counts as no valid payment, but only after the input was judged. */
  refused?: PaymentRefused;
}

export function readOffer(call: Call): Offer | undefined {
  const { headers } = call.request;
  const trial = readTrial(call);
  let payment: PresentedPayment | undefined;
  let refused: PaymentRefused | undefined;
  try {
    payment = readPayment(headers);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    refused = error;
  }
  const creditToken = headers.get(`x-${call.host.brand.slug}-credit`) ?? undefined;
  if (!trial && !payment && !refused && !creditToken) return undefined;
  return {
    trial,
    ...(creditToken ? { creditToken } : {}),
    ...(payment ? { payment } : {}),
    ...(refused ? { refused } : {}),
  };
}

/** Header or query, either one selects the same trial; 1 is the only value they take. */
function readTrial({ host, request, url }: Call): boolean {
  const name = `x-${host.brand.slug}-trial`;
  const header = request.headers.get(name);
  if (header !== null && header.trim() !== "1") throw invalid(name, "must be 1, the only value it takes");
  if (url.search === "") return header !== null;
  const query = url.searchParams.getAll("trial");
  if (query.some((value) => value !== "1")) throw invalid("trial", "must be 1, the only value it takes");
  return header !== null || query.length > 0;
}
