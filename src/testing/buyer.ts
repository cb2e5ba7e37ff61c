/** A buyer with money on the local chain, which pays what a 402 asks, at most a dollar. */
import type { PrivateKeyAccount } from "viem/accounts";
import type { AnyCapability } from "../capability/types.js";
import { without } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";

/** The answer, also read: `data` and `meta` of a normalized capability, or the whole of another. */
export type Bought = Response & {
  data: Record<string, unknown> | undefined;
  meta: Record<string, unknown> | undefined;
  /** The rows of `data`. */
  items: unknown[] | undefined;
};

export type Buy = (id: string, input?: Record<string, unknown>) => Promise<Bought>;

/** Asks, signs and asks again, as official clients do. */
export async function createBuyer(account: PrivateKeyAccount, catalogue: Catalogue, url: string): Promise<Buy> {
  const [{ x402Client, x402HTTPClient }, { registerExactEvmScheme }] = await Promise.all([
    import("@x402/core/client").catch(without("@x402/core")),
    import("@x402/evm/exact/client").catch(without("@x402/evm")),
  ]);
  const client = new x402HTTPClient(registerExactEvmScheme(new x402Client(), { signer: account }));
  return async (id, input = {}) => {
    const capability = catalogue.byId.get(id);
    if (!capability) throw new TypeError(`buy: no capability "${id}" is mounted here.`);
    const ask = (headers: Record<string, string> = {}) =>
      fetch(...requestOf(catalogue, { capability, input, url, headers }));
    const quote = await ask();
    if (quote.status !== 402) return read(quote);
    const required = client.getPaymentRequiredResponse((name) => quote.headers.get(name), await quote.json());
    const payload = await client.createPaymentPayload(required);
    return read(await ask(client.encodePaymentSignatureHeader(payload)));
  };
}

interface Asked {
  capability: AnyCapability;
  input: Record<string, unknown>;
  url: string;
  headers: Record<string, string>;
}

function requestOf(catalogue: Catalogue, { capability, input, url, headers }: Asked): [URL, RequestInit] {
  const address = new URL(catalogue.pathOf(capability), url);
  if (capability.method === "POST") {
    const body = JSON.stringify(input);
    return [address, { method: "POST", body, headers: { "content-type": "application/json", ...headers } }];
  }
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null)
      address.searchParams.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  return [address, { headers }];
}

async function read(response: Response): Promise<Bought> {
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const body = isJson ? ((await response.clone().json()) as Record<string, unknown>) : undefined;
  const isNormalized = body !== undefined && "data" in body && "meta" in body;
  const data = (isNormalized ? body.data : body) as Record<string, unknown> | undefined;
  const meta = (isNormalized ? body.meta : undefined) as Record<string, unknown> | undefined;
  return Object.assign(response, { data, meta, items: data?.items as unknown[] | undefined }) as Bought;
}
