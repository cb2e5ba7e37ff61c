// White label: some capabilities, under a brand and at prices of the host's own.
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { convertUnit } from "coinslot/capabilities/convert";
import { serve } from "coinslot/node";

/** @param {import("coinslot").PaymentOptions} payment who is paid, and who settles */
export function createService(payment) {
  return createHandler({
    payment,
    capabilities: [convertUnit, ...capabilities.filter(({ group }) => group === "calendar")],
    // The slug names the headers: callers ask for their free trial with "X-ACME-Trial: 1".
    brand: { name: "Acme APIs", slug: "acme", contact: { email: "api@acme.example" } },
    basePath: "/v1",
    pricing: {
      markup: 1.25, // A quarter on top of the catalogue's prices ...
      overrides: { "convert.unit": "0.005" }, // ... except where there is a price of our own.
    },
    trial: { perHour: 3 },
    onCall: ({ id, outcome, chargedUsd = "0" }) => console.log(`${id}: ${outcome}, ${chargedUsd} USD`),
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator", PORT = "8402" } = process.env;
  if (!TREASURY_EVM) throw new Error("Set TREASURY_EVM to the address that is to be paid.");
  // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
  const payment = { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } };
  const service = await serve(createService(payment), { port: Number(PORT) });
  console.log(`Listening on ${service.url}`);
}
