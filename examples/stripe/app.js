// Accounts topped up by Stripe: a Checkout session names the user, and Stripe's webhook books what was paid.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { convertUnit } from "coinslot/capabilities/convert";
import { express as coinslot } from "coinslot/express";
import express from "express";
import { stripeWebhook } from "./webhook.js";

/** `webhookSecret` is the signing secret of the webhook's endpoint, from Stripe's dashboard: `whsec_…`. */
export function createApp({ payment, webhookSecret, now }) {
  const handle = createHandler({
    capabilities: [convertUnit],
    payment,
    accounts: { keys: true, topUpUrl: "https://shop.example/top-up" },
  });
  const app = express();
  // The signature is over the bytes as they came, so no parser may be before it.
  app.post("/hooks/stripe", express.raw({ type: "*/*", limit: "256kb" }), async (req, res) => {
    const { status, text } = await stripeWebhook(handle.accounts, {
      ...{ body: req.body, signature: req.get("stripe-signature"), secret: webhookSecret },
      ...(now ? { now: now() } : {}),
    });
    res.status(status).type("text/plain").send(text);
  });
  app.use(coinslot(handle));
  return { app, handle };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, STRIPE_WEBHOOK_SECRET, FACILITATOR_URL = "https://x402.org/facilitator" } = process.env;
  if (!TREASURY_EVM || !STRIPE_WEBHOOK_SECRET)
    throw new Error("Set TREASURY_EVM, and STRIPE_WEBHOOK_SECRET as whsec_….");
  const payment = { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } };
  const { app } = createApp({ payment, webhookSecret: STRIPE_WEBHOOK_SECRET });
  const port = Number(process.env.PORT ?? 8402);
  createServer({ maxHeaderSize: 65_536 }, app).listen(port, "127.0.0.1", () => {
    console.log(`Listening on http://127.0.0.1:${port}, for Stripe at /hooks/stripe`);
  });
}
