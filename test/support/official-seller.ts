/** One resource for a tenth of a cent behind the official middleware: the reference that our own handler is held to. */
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware } from "@x402/hono";
import { Hono } from "hono";

export interface SellerOptions {
  facilitatorUrl: string;
  network: `eip155:${number}`;
  payTo: string;
}

/** A fetch that reaches the seller without a socket. */
export function officialSeller({ facilitatorUrl, network, payTo }: SellerOptions): typeof globalThis.fetch {
  const facilitator = new HTTPFacilitatorClient({ url: facilitatorUrl });
  const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme());
  const accepts = { scheme: "exact", price: "$0.001", network, payTo };
  const app = new Hono();
  app.use(paymentMiddleware({ "GET /weather": { accepts, description: "Weather" } }, resources));
  app.get("/weather", (c) => c.json({ report: "sunny" }));
  return async (input, init) => app.request(new Request(input, init));
}
