/** A typed client of a mounted service, over a wire that can be cut. */
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { alice } from "./wallets.js";

/** What happens to one exchange: it goes through, is lost on the way there or back, or a proxy answers. */
export type Trouble = "none" | "unsent" | "lost" | "proxy";

export interface Sent {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

type Handle = (request: Request) => Promise<Response>;

/** A fetch that ends in a handler. `troubles` befall requests that carry a payment, or all with `anyRequest`. */
export function wireTo(handle: Handle, { anyRequest = false } = {}) {
  const sent: Sent[] = [];
  const troubles: Trouble[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    sent.push({ method, url, headers: new Headers(headers), body: await request.clone().text() });
    const trouble = anyRequest || headers.has("payment-signature") ? troubles.shift() : undefined;
    if (trouble === "unsent") throw new TypeError("fetch failed");
    const response = await handle(request);
    if (trouble === "lost") throw new TypeError("fetch failed");
    if (trouble === "proxy") return new Response("<html>Bad gateway</html>", { status: 502 });
    // Nobody waits in a test.
    if (response.headers.has("retry-after")) response.headers.set("retry-after", "0");
    return response;
  };
  return {
    fetch,
    sent,
    troubles,
    payments: () => sent.map(({ headers }) => headers.get("payment-signature")).filter(Boolean),
  };
}

/** The official client around a wallet, with every payment that it signs counted. */
export function payerOf(account: PrivateKeyAccount = alice) {
  const signed: string[] = [];
  const client = registerExactEvmScheme(new x402Client(), { signer: account });
  client.onAfterPaymentCreation(async ({ selectedRequirements }) => {
    signed.push(selectedRequirements.amount);
  });
  return { client, signed };
}
