// Hono: paid endpoints below /api. The same app runs on Node, Bun, Deno and wherever else Hono does.
import { pathToFileURL } from "node:url";
import { serve } from "@hono/node-server";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { hono as coinslot } from "coinslot/hono";
import { Hono } from "hono";

/** @param {import("coinslot").PaymentOptions} payment who is paid, and who settles */
export function createApp(payment) {
  const handle = createHandler({ capabilities, payment });
  const app = new Hono();
  app.use(coinslot(handle));
  app.get("/", (c) => c.text("Our own page. The paid endpoints are listed at /api/directory."));
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator", PORT = "8402" } = process.env;
  if (!TREASURY_EVM) throw new Error("Set TREASURY_EVM to the address that is to be paid.");
  // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
  const app = createApp({ treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } });
  // Texts in a query may be long; Node's own limit is 16 KiB for the whole head of a request.
  const server = { fetch: app.fetch, port: Number(PORT), serverOptions: { maxHeaderSize: 65_536 } };
  serve(server, ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`));
}
