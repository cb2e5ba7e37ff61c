import { openShop, startChild } from "./many-load.mjs";
import { median, printBar, printSkipped, printTable, say, times, whole } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { offerOf, openOurs, PROBE, signPayments } from "./shops.mjs";

export const title = "Many buyers at once on one process, each payment its own; a facilitator over HTTP, 2 ms away";

const FACILITATOR_MS = 2;
const ROUNDS = 5;
const COUNT = 768;
const WARM_UP = 1500;
const BUYERS = [64, 256];
const WALLETS = 256;
const THEIRS = "@x402/express";
const GOALS = { "in memory": 1.3, "on Redis": 1.3, "on Postgres": 0.9 };
/** As many calls as may be open. */
const OPEN = 2000;
const PROCESSES = [1, 8];
const BUYERS_EACH = 32;

export async function run() {
  const probed = openOurs();
  const offer = offerOf(await probed(new Request(PROBE)));
  await probed.close();
  const payments = signAsMany(offer, WARM_UP + BUYERS.length * ROUNDS * COUNT + 3 * OPEN);
  const servers = await startStores();
  const facilitator = startChild("yes-facilitator.mjs", [String(FACILITATOR_MS)]);
  const url = `http://127.0.0.1:${await facilitator.ask("port")}`;
  const kinds = [
    [THEIRS, "theirs"],
    ["in memory", "memory"],
    ...(servers.redis ? [["on Redis", "redis", servers.redis.url]] : []),
    ...(servers.postgres ? [["on Postgres", "postgres", servers.postgres.url]] : []),
  ];
  const shops = [];
  for (const [name, kind, store = ""] of kinds) shops.push(await openShop(name, [kind, url, store], payments));
  try {
    for (const shop of shops) await shop.sell(WARM_UP, BUYERS[0]);
    const bars = [];
    for (const buyers of BUYERS) bars.push(...(await side(shops, buyers)));
    bars.push(
      ...(await openCalls(shops, facilitator).catch(({ message }) => [
        printSkipped(`${whole(OPEN)} open calls`, message),
      ])),
    );
    for (const shop of shops.splice(0)) shop.stop();
    if (servers.postgres) bars.push(...(await perProcess(offer, url, servers.postgres.url)));
    return bars;
  } finally {
    for (const shop of shops) shop.stop();
    facilitator.stop();
    await servers.redis?.stop();
    await servers.postgres?.stop();
  }
}

/** Payments of as many wallets in turn, as of so many buyers. */
function signAsMany(offer, count, wallets = WALLETS) {
  const own = Array.from({ length: wallets }, () => signPayments(offer, Math.ceil(count / wallets)));
  return Array.from({ length: count }, (_, i) => own[i % wallets][Math.floor(i / wallets)]);
}

const percentile = (numbers, share) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

/** Shops take turns; each round of one is compared with the same round of theirs. */
async function side(shops, buyers) {
  const found = new Map(shops.map(({ name }) => [name, { rates: [], p99s: [], processorMs: 0, statements: 0 }]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, sell, ask } of shops) {
      const seen = found.get(name);
      const before = [await ask("processorMs"), await ask("statements")];
      const { each, ms } = await sell(COUNT, buyers);
      seen.processorMs += (await ask("processorMs")) - before[0];
      seen.statements += (await ask("statements")) - before[1];
      seen.rates.push(COUNT / (ms / 1000));
      seen.p99s.push(percentile(each, 0.99));
    }
  const theirs = found.get(THEIRS);
  const beside = (own, key) => median(own[key].map((value, round) => value / theirs[key][round]));
  say(`\n  ${buyers} buyers at a time, by the time of day:`);
  printTable(
    ["", "per second", "p99", "server's processor", "asks of the store a call", `x ${THEIRS}`],
    [...found].map(([name, own]) => [
      name,
      whole(median(own.rates)),
      `${median(own.p99s).toFixed(0)} ms`,
      `${(own.processorMs / (ROUNDS * COUNT)).toFixed(2)} ms`,
      (own.statements / (ROUNDS * COUNT)).toFixed(2),
      times(beside(own, "rates")),
    ]),
  );
  return Object.entries(GOALS).flatMap(([name, atLeast]) => {
    const what = `${buyers} buyers ${name}`;
    const own = found.get(name);
    if (!own) return [printSkipped(what, "its server is not installed here")];
    return [
      printBar(`${what}: calls a second beside ${THEIRS}`, beside(own, "rates"), { atLeast }),
      printBar(`${what}: p99 beside ${THEIRS}`, beside(own, "p99s"), { atMost: 1 }),
    ];
  });
}

/** While the facilitator holds its answers, calls stay open: what they keep, and how the shop sells so many at a time. */
async function openCalls(shops, facilitator) {
  const rows = [];
  const bars = [];
  for (const { name, sell, ask } of shops) {
    const few = await sell(OPEN, BUYERS.at(-1));
    const before = await ask("memory");
    await facilitator.ask("hold");
    const selling = sell(OPEN, OPEN);
    const keptBytes = (await settledMemory(ask)) - before;
    await facilitator.ask("release");
    await selling;
    const all = await sell(OPEN, OPEN);
    rows.push([name, `${(keptBytes / OPEN / 1024).toFixed(1)} KB`, times(few.ms / all.ms)]);
    if (name !== THEIRS)
      bars.push(
        printBar(`${whole(OPEN)} open calls ${name}: rate beside ${BUYERS.at(-1)} open`, few.ms / all.ms, {
          atLeast: 0.8,
        }),
      );
  }
  say(`\n  ${whole(OPEN)} calls open at a time:`);
  printTable(["", "memory a call", `rate beside ${BUYERS.at(-1)} open`], rows);
  return bars;
}

/** The memory of a shop when it grows no more: all calls have reached the facilitator. */
async function settledMemory(ask) {
  let last = await ask("processorMs");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await ask("processorMs");
    if (now - last < 25) return ask("memory");
    last = now;
  }
}

/** As many buyers a process, whatever their number: what a call asks of Postgres, and of the shop's processor. */
async function perProcess(offer, facilitatorUrl, storeUrl) {
  const found = [];
  for (const count of PROCESSES) {
    const each = Math.ceil((ROUNDS * COUNT) / count);
    const shops = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        openShop(`process ${i}`, ["postgres", facilitatorUrl, storeUrl], signAsMany(offer, 2 * each, BUYERS_EACH)),
      ),
    );
    const sum = async (question) =>
      (await Promise.all(shops.map(({ ask }) => ask(question)))).reduce((a, b) => a + b, 0);
    await Promise.all(shops.map(({ sell }) => sell(each, BUYERS_EACH)));
    const before = [await sum("processorMs"), await sum("statements")];
    await Promise.all(shops.map(({ sell }) => sell(each, BUYERS_EACH)));
    const after = [await sum("processorMs"), await sum("statements")];
    for (const shop of shops) shop.stop();
    found.push(after.map((value, i) => (value - before[i]) / (count * each)));
  }
  say(`\n  Processes on one Postgres, ${BUYERS_EACH} buyers at each:`);
  printTable(
    ["processes", "server's processor a call", "round trips a call"],
    found.map(([ms, trips], i) => [PROCESSES[i], `${ms.toFixed(2)} ms`, trips.toFixed(2)]),
  );
  const [one, eight] = found;
  return [
    printBar("round trips to Postgres a call, eight processes beside one", eight[1] / one[1], { atMost: 1.1 }),
    printBar("processor time a call, eight processes beside one", eight[0] / one[0], { atMost: 1.1 }),
  ];
}
