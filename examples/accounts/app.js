// Accounts in Express: signed-in users and their keys buy from a balance, which a payment provider's webhook tops up.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { createHandler } from "coinslot";
import { convertUnit } from "coinslot/capabilities/convert";
import { express as coinslot } from "coinslot/express";
import express from "express";
import { Webhook } from "standardwebhooks";

/** Sessions as a login keeps them: a random cookie, and whose it is. */
export function createSessions() {
  const users = new Map();
  return {
    /** @param {string} user the id of a user, who has proven it is them */
    begin(user) {
      const token = randomBytes(32).toString("base64url");
      users.set(token, user);
      return `session=${token}; HttpOnly; Secure; SameSite=Lax; Path=/`;
    },
    /** @param {string | null | undefined} cookie */
    userOf: (cookie) => users.get(/(?:^|; )session=([\w-]+)/.exec(cookie ?? "")?.[1] ?? ""),
  };
}

/**
 * @param {object} options
 * @param {import("coinslot").PaymentOptions} options.payment for callers with a wallet, who buy at the same endpoints
 * @param {string} options.webhookSecret the secret that the payment provider signs with, `whsec_…`
 * @param {ReturnType<typeof createSessions>} options.sessions
 * @param {import("coinslot").Store} [options.store] a shared one for more than one process, and to keep balances
 */
export function createApp({ payment, webhookSecret, sessions, store }) {
  const handle = createHandler({
    capabilities: [convertUnit],
    payment,
    ...(store ? { store } : {}),
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

  // The signature is over the bytes, so they are read before any parser.
  app.post("/hooks/payments", express.raw({ type: "*/*" }), async (req, res) => {
    let event;
    try {
      event = new Webhook(webhookSecret).verify(req.body, req.headers);
    } catch {
      return void res.status(400).send("The signature is not the payment provider's.");
    }
    // Providers tell an event more than once: its payment's id is booked once.
    if (event.type === "payment.succeeded")
      await handle.accounts.topUp(event.data.user, event.data.usd, { reference: event.data.id });
    res.sendStatus(204);
  });

  const signedIn = (req, res, next) => {
    res.locals.user = sessions.userOf(req.headers.cookie);
    return res.locals.user ? next() : void res.status(401).send("Sign in first.");
  };
  app.post("/keys", signedIn, async (_req, res) => {
    const limits = { perMinute: 60, usdPerDay: "0.005" };
    const { key, id } = await handle.accounts.createKey(res.locals.user, { label: "made by its owner", limits });
    res.status(201).json({ key, id });
  });
  app.get("/balance", signedIn, async (_req, res) => res.json(await handle.accounts.balance(res.locals.user)));
  app.get("/statement", signedIn, async (req, res) => {
    const { from, to } = req.query;
    res.json(await handle.statement({ account: res.locals.user }, { from: String(from), to: String(to) }));
  });
  app.use(coinslot(handle));
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
