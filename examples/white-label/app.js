// White label: forty capabilities as a product of your own, with its name, prices, treasury, documents and tools.
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { serve } from "coinslot/node";

/** What the product is made of: whole groups, and not more of them than its customers asked for. */
const GROUPS = ["convert", "calendar", "barcode", "aviation", "weather", "text", "crypto", "code", "country", "bio"];
const MOST = 40;

/** @param {Omit<Parameters<typeof createHandler>[0], "capabilities">} options whatever differs where it runs */
export function createService({ brand, ...options }) {
  return createHandler({
    ...options,
    capabilities: capabilities.filter(({ group }) => GROUPS.includes(group)).slice(0, MOST),
    // The slug names the headers and the problems' addresses: X-ACME-Trial, urn:acme:problem:not-found.
    brand: {
      name: "Acme Data",
      slug: "acme",
      description: "Facts for agents, by the call.",
      contact: { name: "Acme", email: "api@acme.example", url: "https://acme.example" },
      tags: ["data"],
      ...brand,
    },
    basePath: "/v1",
    pricing: { markup: 1.3, overrides: { "convert.unit": "0.005" } },
    trial: { perHour: 2 },
    mcp: { tools: ["convert", "calendar"], instructions: "Acme Data: facts for agents, by the call." },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator", PORT = "8402" } = process.env;
  if (!TREASURY_EVM) throw new Error("Set TREASURY_EVM to the address that is to be paid.");
  // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
  const payment = { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } };
  const service = await serve(createService({ payment }), { port: Number(PORT) });
  console.log(`Listening on ${service.url}`);
}
