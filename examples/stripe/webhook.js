/** Books what Stripe says was paid, once for each payment, whichever of its events tell of it and how often. */
import { isStripes } from "./signature.js";

/** Paid at once, or later, as by bank transfer. Both may be told of one session, and each more than once. */
const PAID = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];

const answer = (status, text) => ({ status, text });

/**
 * 200 stops Stripe from telling it again; 400 is for whoever is not Stripe; a rejection becomes 500, and Stripe tells it again.
 *
 * @param {import("coinslot").HostAccounts} accounts
 * @param {{ body: Uint8Array, signature: string | undefined, secret: string, now?: number }} told
 */
export async function stripeWebhook(accounts, told) {
  if (!(told.body instanceof Uint8Array) || !isStripes(told)) return answer(400, "The signature is not Stripe's.");
  const event = JSON.parse(Buffer.from(told.body).toString("utf8"));
  if (!PAID.includes(event.type)) return answer(200, "Nothing to book.");
  const session = event.data.object;
  // A session whose money is still on its way is told again once it has come.
  if (session.payment_status !== "paid") return answer(200, "Not paid yet.");
  // Set where the session is made, by a server that knows who is signed in: stripe.checkout.sessions.create({ … }).
  const user = session.client_reference_id;
  // Money in other currencies, and of nobody known, is for a person to look at, and not to be told again for days.
  if (session.currency !== "usd" || !user) {
    console.error(`stripe: ${event.id}: ${session.id} is in ${session.currency}, for ${user ?? "nobody"}; not booked`);
    return answer(200, "Not booked.");
  }
  // The payment's id, not the event's: a session has several events.
  const entry = await accounts.topUp(user, usdOf(session.amount_total), {
    reference: session.payment_intent ?? session.id,
  });
  return answer(200, `Booked as ${entry.reference}.`);
}

/** Stripe counts US dollars in cents. */
function usdOf(cents) {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new TypeError(`stripe: no amount: ${cents}`);
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
