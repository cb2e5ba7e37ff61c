// Accounts in Express: signed-in users and their keys buy from a balance, which a payment provider's webhook tops up.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { convertUnit } from "coinslot/capabilities/convert";
import { express as coinslot } from "coinslot/express";
import express from "express";
import { userRoutes, webhookRoute } from "./routes.js";
import { createSessions } from "./sessions.js";

/** Callers with a wallet pay by `payment` at the same endpoints. `webhookSecret` is the payment provider's, `whsec_…`. */
export function createApp({ payment, webhookSecret, sessions }) {
  const handle = createHandler({
    capabilities: [convertUnit],
    payment,
    accounts: {
      keys: true,
      identify(request) {
        const user = sessions.userOf(request.headers.get("cookie"));
        return user ? { id: user } : undefined;
      },
      topUpUrl: "https://shop.example/top-up",
    },
  });
  const app = express();
  app.use(webhookRoute(handle.accounts, webhookSecret), userRoutes(handle, sessions), coinslot(handle));
  return { app, handle };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { TREASURY_EVM, WEBHOOK_SECRET, FACILITATOR_URL = "https://x402.org/facilitator", PORT = "8402" } = process.env;
  if (!TREASURY_EVM || !WEBHOOK_SECRET) throw new Error("Set TREASURY_EVM, and WEBHOOK_SECRET as whsec_….");
  const payment = { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } };
  const sessions = createSessions();
  const { app } = createApp({ payment, webhookSecret: WEBHOOK_SECRET, sessions });
  console.log(`A session to try with: ${sessions.begin("user_1").split(";")[0]}`);
  createServer({ maxHeaderSize: 65_536 }, app).listen(Number(PORT), "127.0.0.1", () => {
    console.log(`Listening on http://127.0.0.1:${PORT}`);
  });
}
