import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { printBar, printRates, race, ratio } from "./measure.mjs";
import { CALL, offerOf, openOurs, signPayments } from "./shops.mjs";

export const title =
  "A paid read of a wallet's value beside a paid call that computes; the facilitator says yes at once";

const ROUNDS = 7;
const COUNT = 100;
const READ = "http://shop.test/api/store/kv-get";
const PUT = "http://shop.test/api/store/kv-put";

const post = (url, input, headers = {}) =>
  new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
  });

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const handle = openOurs({ wallets: { dataDir: folder } });
  const key = { ns: "n", key: "k" };
  const buyer = async (make, count, wallet) => {
    const offer = offerOf(await handle(make()));
    const payments = signPayments(offer, count, wallet);
    return async () => {
      const response = await handle(make({ "payment-signature": payments.pop() }));
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
  };
  const calls = (ROUNDS + 1) * COUNT;
  const wallet = generatePrivateKey();
  await (await buyer((headers) => post(PUT, { ...key, value: 1 }, headers), 1, wallet))();
  const contenders = [
    { name: "store.kv-get", run: await buyer((headers) => post(READ, key, headers), calls, wallet) },
    { name: "convert.unit", run: await buyer((headers) => new Request(CALL, { headers }), calls, wallet) },
  ];
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT, clock: () => performance.now() });
  await handle.close();
  await rm(folder, { recursive: true, force: true });
  printRates(rates, "convert.unit");
  return [
    printBar("a paid read beside a paid convert.unit", ratio(rates, "store.kv-get", "convert.unit"), { atLeast: 0.7 }),
  ];
}
