/** A host that sells everything, configured, under a brand. */
import { capabilities } from "../../src/capabilities/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { awayPool } from "./away-pool.js";
import { FACILITATOR_URL, fakeFacilitator } from "./facilitator.js";
import { NETWORK } from "./shop.js";
import { quoteOf, TREASURY } from "./wallets.js";

export const brand = {
  name: "Acme Tools",
  slug: "acme",
  tags: ["data", "utilities"],
  iconUrl: "https://acme.example/icon.png",
};

/** Asks it without a payment; the answer, and the quote in its header. */
export function everything() {
  const handle = createHandler({
    capabilities,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
    secrets: Object.fromEntries(capabilities.flatMap(({ requires }) => requires).map((name) => [name, "set"])),
    wallets: { db: awayPool },
    logger: silent,
    fetch: fakeFacilitator().fetch,
    brand,
  });
  return async ({ path, method }: { path: string; method: string }, query = "") => {
    const response = await handle(new Request(`https://api.acme.example${path}${query}`, { method }));
    return {
      response,
      quote: quoteOf(response) as unknown as { resource: object; extensions: Record<string, unknown> },
    };
  };
}
