import { randomUUID } from "node:crypto";
import { paymentMiddleware } from "@x402/hono";
import { convertUnit } from "coinslot/capabilities/convert";
import { hono } from "coinslot/hono";
import { Hono } from "hono";
import { printBar, printRates, race, ratio } from "./measure.mjs";
import { CALL, openOurs, openTheirs, PATH, PAYMENT, PROBE } from "./shops.mjs";

export const title = "Unpaid calls answered with a quote (402), in one process, without sockets";

export async function run() {
  const ours = openOurs();
  const unchallenged = openOurs({ payment: { ...PAYMENT, mpp: false } });
  const theirs = new Hono().use(paymentMiddleware(...openTheirs())).get(PATH, (c) => c.json({}));
  const bare = await bareHono(await ours(new Request(PROBE)));
  const checking = await bareHono(await ours(new Request(PROBE)), assertValid);
  const mounted = new Hono().use(hono(ours));

  const contenders = [
    { name: "bare probe", run: () => ours(new Request(PROBE)) },
    { name: "bare probe, without MPP", run: () => unchallenged(new Request(PROBE)) },
    { name: "valid input", run: () => ours(new Request(CALL)) },
    { name: "bare probe, inside Hono", run: () => mounted.fetch(new Request(PROBE)) },
    { name: "@x402/hono", run: () => theirs.fetch(new Request(PROBE)) },
    { name: "bare Hono", run: () => bare.fetch(new Request(PROBE)) },
    { name: "bare Hono, input checked", run: () => checking.fetch(new Request(CALL)) },
  ];
  for (const { name, run } of contenders) await assertQuote(name, await run());

  const rates = await race(contenders);
  await Promise.all([ours.close(), unchallenged.close()]);
  printRates(rates, "@x402/hono");
  const pairs = [
    ["bare probe", "bare Hono"],
    ["valid input", "bare Hono, input checked"],
  ];
  const bars = pairs.flatMap(([name, bareName]) => [
    printBar(`${name} beside @x402/hono`, ratio(rates, name, "@x402/hono"), { atLeast: 2 }),
    printBar(`${name} beside ${bareName}`, ratio(rates, name, bareName), { atLeast: 0.8 }),
  ]);
  const [whole, part] = ["bare probe", "bare probe, without MPP"];
  return [...bars, printBar(`${whole} beside ${part}`, ratio(rates, whole, part), { atLeast: 0.9 })];
}

/** Hono with an answer like the given one: its status, its body, its headers, and an id for each. */
async function bareHono(answer, check = (_query) => {}) {
  const body = await answer.text();
  const headers = Object.fromEntries(answer.headers);
  return new Hono().get(PATH, (c) => {
    check(c.req.query());
    return c.body(body, 402, { ...headers, "x-request-id": randomUUID() });
  });
}

/** By the schema of the capability alone, without what it checks beyond that. */
function assertValid({ value, ...units }) {
  convertUnit.input.parse({ value: Number(value), ...units });
}

async function assertQuote(name, response) {
  if (response.status !== 402 || !response.headers.has("payment-required"))
    throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
}
