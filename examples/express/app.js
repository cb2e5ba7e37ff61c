// Express: paid endpoints below /api, in an app that keeps its own routes.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { express as coinslot } from "coinslot/express";
import express from "express";

/** @param {import("coinslot").PaymentOptions} payment who is paid, and who settles */
export function createApp(payment) {
  const handle = createHandler({ capabilities, payment });
  const app = express();
  app.get("/", (_req, res) => void res.send("Our own page. The paid endpoints are listed at /api/directory."));
  app.use(coinslot(handle));
  app.use((_req, res) => void res.status(404).send("No such page."));
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator", PORT = "8402" } = process.env;
  if (!TREASURY_EVM) throw new Error("Set TREASURY_EVM to the address that is to be paid.");
  // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
  const app = createApp({ treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } });
  // Texts in a query may be long; app.listen would allow 16 KiB for the whole head of a request.
  const server = createServer({ maxHeaderSize: 65_536 }, app).listen(Number(PORT), () => {
    console.log(`Listening on http://127.0.0.1:${server.address().port}`);
  });
}
