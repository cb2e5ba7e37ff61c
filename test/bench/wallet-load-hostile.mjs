// The hostile callers of wallet-load.mjs, in a process of their own: node wallet-load-hostile.mjs '{"port", "key", "perSecond"}'
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { offerOf, signPayments } from "./shops.mjs";

const { port, key, perSecond } = JSON.parse(process.argv[2]);
// Strangers have processors of their own: what they compute must not slow the service.
setPriority(19);

const origin = `http://127.0.0.1:${port}/api/`;

/** Text that split words in a square of its length. */
const hyphens = JSON.stringify({ ns: "n", id: "d", body: "a-b1.c_".repeat(18_000) });
const zeros = JSON.stringify({ ns: "n", id: "d", body: { list: Array(500_000).fill(0) } });
const names = JSON.stringify({
  ns: "n",
  id: "d",
  body: Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`n${i}`, 0])),
});
const contains = (n) => ({ and: Array.from({ length: n }, (_, i) => ({ "/body/text": { contains: `x${i}` } })) });
const words = Array.from({ length: 32 }, (_, i) => `word${i}`).join(" ");
const listed = { "/body/list": { contains: [1, 2] } };

let callers = 0;
const post = (path, body, headers = {}, signal = undefined) =>
  fetch(origin + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `203.0.${(++callers >> 8) % 256}.${callers % 256}`,
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });

const offers = new Map();
/** Paid for by one wallet, which has what is looked through. */
async function buy(path, body, signal) {
  const offer = offers.get(path) ?? offerOf(await post(path, body));
  offers.set(path, offer);
  const [payment] = signPayments(offer, 1, key);
  return post(path, body, { "payment-signature": payment }, signal);
}

const attacks = {
  "trials of texts that are hard to split": () => post("store/doc-put", hyphens, { "x-svc-trial": "1" }),
  "filters whose callers leave": () =>
    buy("store/doc-query", { ns: "n", filter: contains(18) }, AbortSignal.timeout(100)),
  "lists beside long lists": () => buy("store/doc-query", { ns: "n", filter: listed }),
  "searches of 32 words": () => buy("store/doc-search", { ns: "n", query: words }),
  "documents of 500,000 zeros, unpaid": () => post("store/doc-put", zeros),
  "documents of 80,000 names, unpaid": () => post("store/doc-put", names),
  "sign-ins that are none": () => post("store/erase", { confirm: "erase everything" }, { "sign-in-with-x": "e30=" }),
  "prices of topics, unpaid": () => post("pubsub/publish", { topicId: `top_${"0".repeat(32)}`, message: 1 }),
};

const counts = {};
let isOver = false;
// Whoever started it is gone: nobody would end it.
process.on("disconnect", () => process.exit());
process.on("message", () => {
  isOver = true;
});
const kinds = Object.entries(attacks);
await Promise.all(
  kinds.map(async ([what, attack], i) => {
    counts[what] = 0;
    // Strangers do not come in step.
    if (perSecond) await sleep((1000 / perSecond) * (i / kinds.length));
    while (!isOver) {
      const next = perSecond ? sleep(1000 / perSecond) : undefined;
      const answer = await attack().catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      counts[what]++;
      await next;
    }
  }),
);
process.send?.(counts);
process.disconnect();
