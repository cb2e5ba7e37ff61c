/** The agreement of a person to calls above a bound: the host's, or a lower one that the call itself names. */

import { invalid } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import type { McpOptions } from "../host/options.js";
import { boundMicros, exactMicros, fromMicros, least } from "../lib/money.js";
import type { Accepted, TooDear, ToolResult } from "./call.js";
import { textPart } from "./content.js";

/** A question that the client puts to its person, and after which it repeats the call. */
export interface Question {
  resultType: "input_required";
  [name: string]: unknown;
}

export interface Asking {
  /** The price that a person has agreed to already, in US dollars. */
  agreedUsd?: string | undefined;
  /** Asks about a price, in the client's way; undefined where nobody can be asked. */
  ask?: ((message: string, usd: string) => Promise<boolean | Question>) | undefined;
}

/** The form that a person fills in. */
export const FORM = {
  type: "object",
  properties: { pay: { type: "boolean", title: "Pay", description: "Whether to pay for this call" } },
  required: ["pay"],
} as const;

/** Undefined if nobody is to be asked. Throws INVALID_INPUT for a bound of the call that is none. */
export function boundOf(
  { brand: { slug } }: Pick<Catalogue, "brand">,
  { askAboveUsd }: McpOptions,
  meta: Record<string, unknown>,
): string | undefined {
  const name = `${slug}/ask-above-usd`;
  const own = meta[name];
  if (own === undefined) return askAboveUsd;
  const bound = typeof own === "string" ? readBound(own) : undefined;
  if (bound === undefined) throw invalid(`_meta.${name}`, 'must be US dollars as text, such as "0.05"');
  // guard: MCP: a caller cannot raise the host's bound | gone | mcp/approval
  if (askAboveUsd !== undefined) return fromMicros(least(bound, exactMicros(askAboveUsd)));
  return fromMicros(bound);
}

function readBound(text: string): bigint | undefined {
  try {
    return boundMicros(text);
  } catch {
    return undefined;
  }
}

const isTooDear = (answered: ToolResult | Accepted | TooDear): answered is TooDear => "costsUsd" in answered;

/** The ways of a call: with a limit on what is charged, or by what its metadata pay with, and its price alone. */
export interface Ways {
  limited(maxUsd: string): Promise<ToolResult | Accepted | TooDear>;
  /** Undefined if nothing was signed for it. */
  signed?: (() => Promise<ToolResult | Accepted>) | undefined;
}

interface Sale {
  bound: string;
  endpoint: string;
  seller: string;
  asking: Asking;
}

/** Calls for up to the bound, and for more once a person has agreed to the price. */
export async function agreed(
  { limited, signed }: Ways,
  { bound, endpoint, seller, asking }: Sale,
): Promise<ToolResult | Accepted | Question> {
  // A signature is for one amount, so its price has to be told before it is sent.
  const first = await limited(signed ? "0" : (asking.agreedUsd ?? bound));
  if (!isTooDear(first)) return first;
  const { costsUsd } = first;
  const again = () => (signed ? signed() : limited(costsUsd));
  const isAgreed = signed && exactMicros(costsUsd) <= exactMicros(asking.agreedUsd ?? bound);
  // guard: MCP: a call above the bound is asked about | never | mcp/approval
  if (!isAgreed) {
    const message = `${endpoint} at ${seller} costs ${costsUsd} USD. Pay?`;
    const said = asking.ask ? await asking.ask(message, costsUsd) : undefined;
    if (said === undefined)
      return refused(
        `${endpoint} costs ${costsUsd} USD; this client cannot ask a person, who has to agree to more than ${bound}.`,
      );
    if (typeof said === "object") return said;
    // guard: MCP: who says no pays nothing | gone | mcp/approval
    if (!said) return refused(`Nobody agreed to pay ${costsUsd} USD for ${endpoint}.`);
  }
  const second = await again();
  return isTooDear(second) ? refused(`The price of ${endpoint} has risen to ${second.costsUsd} USD.`) : second;
}

const refused = (why: string): ToolResult => ({
  isError: true,
  content: [textPart(`SPENDING_LIMIT: ${why} Nothing was charged.`)],
});
