/** What the shop itself answers: the payment provider's webhook, and the pages of a signed-in user. */
import express from "express";
import { Webhook } from "standardwebhooks";

/** Tops an account up, once for each payment: providers tell an event more than once, and its id is the reference. */
export function webhookRoute(accounts, webhookSecret) {
  // The signature is over the bytes, so they are read before any parser.
  return express.Router().post("/hooks/payments", express.raw({ type: "*/*" }), async (req, res) => {
    let event;
    try {
      event = new Webhook(webhookSecret).verify(req.body, req.headers);
    } catch {
      return void res.status(400).send("The signature is not the payment provider's.");
    }
    if (event.type === "payment.succeeded")
      await accounts.topUp(event.data.user, event.data.usd, { reference: event.data.id });
    res.sendStatus(204);
  });
}

/** Keys, balance and statement of who is signed in. */
export function userRoutes(handle, sessions) {
  const signedIn = (req, res, next) => {
    res.locals.user = sessions.userOf(req.headers.cookie);
    return res.locals.user ? next() : void res.status(401).send("Sign in first.");
  };
  const routes = express.Router();
  routes.post("/keys", signedIn, async (_req, res) => {
    const limits = { perMinute: 60, usdPerDay: "0.005" };
    const { key, id } = await handle.accounts.createKey(res.locals.user, { label: "made by its owner", limits });
    res.status(201).json({ key, id });
  });
  routes.get("/balance", signedIn, async (_req, res) => res.json(await handle.accounts.balance(res.locals.user)));
  return routes.get("/statement", signedIn, async ({ query: { from, to } }, res) => {
    res.json(await handle.statement({ account: res.locals.user }, { from: String(from), to: String(to) }));
  });
}
