// An agent without a server of its own: it remembers, takes turns, works off a queue and is woken up, each by a call that
// it pays for with the official client. What it keeps belongs to its wallet, which nobody else's can read.
import { pathToFileURL } from "node:url";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";
import { startReceiver } from "./receiver.js";

const POUNDS = [150, 12.5, 3];

/**
 * One shift of the agent.
 * @param {object} place
 * @param {string} place.baseUrl of the service
 * @param {typeof globalThis.fetch} place.fetch one that pays
 * @param {import("./receiver.js").Receiver} place.receiver where the service can reach it
 * @param {(text: string) => void} [place.say]
 */
export async function workShift({ baseUrl, fetch, receiver, say = console.log }) {
  /** @param {string} id @param {object} input @returns {Promise<any>} */
  const call = async (id, input) => (await callAll(id, input))[0];
  /** @param {string} id @param {object} input @returns {Promise<any[]>} */
  async function callAll(id, input) {
    const response = await fetch(`${baseUrl}/api/${id.replace(".", "/")}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    if (!response.ok) throw new Error(`${id} answered ${response.status}: ${await response.text()}`);
    return (await response.json()).data.items;
  }

  const { value: shift } = await call("store.kv-increment", { ns: "agent", key: "shifts" });
  say(`This is my shift number ${shift}.`);

  const lock = await call("lock.acquire", { key: "agent", ttlSeconds: 120 });
  if (!lock.acquired) return say(`Another one of me is at work; it may be over in ${lock.retryInSeconds} s.`);

  // A job that is sent twice is in the queue once.
  const jobs = POUNDS.map((pounds, i) => ({ body: { pounds }, dedupId: `${shift}-${i}` }));
  await call("queue.enqueue", { queue: "parcels", messages: jobs });
  for (;;) {
    const job = await call("queue.lease", { queue: "parcels", visibilitySeconds: 60 });
    if (!job) break;
    const converted = await fetch(`${baseUrl}/api/convert/unit?value=${job.body.pounds}&from=lb&to=kg`);
    const [{ result }] = (await converted.json()).data.items;
    // Were this one late and another at work meanwhile, the fence would keep its result out.
    const { fencingToken } = lock;
    const value = { ...job.body, kg: result };
    await call("store.kv-put", { ns: "parcels", key: job.id, value, fence: { key: "agent", fencingToken } });
    await call("queue.ack", { queue: "parcels", id: job.id, leaseToken: job.leaseToken });
  }
  const parcels = await callAll("store.kv-scan", { ns: "parcels", values: true });
  for (const { value } of parcels) say(`${value.pounds} lb are ${value.kg} kg.`);
  await call("lock.release", { key: "agent", token: lock.token });

  const { scheduleId, secret } = await call("schedule.create", {
    callbackUrl: receiver.url,
    at: new Date(Date.now() + 2000).toISOString(),
    payload: { shift },
  });
  const { type, data } = await receiver.call(scheduleId, secret);
  say(`I was called back: ${type}, about shift ${data.payload.shift}, and the signature is right.`);
  return { shift, parcels: parcels.length };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { WALLET_KEY, BASE_URL = "http://127.0.0.1:8402", RECEIVER_PORT } = process.env;
  if (!WALLET_KEY) throw new Error("Set WALLET_KEY to the private key (0x...) of a wallet with a little USDC in it.");
  const client = registerExactEvmScheme(new x402Client(), {
    signer: privateKeyToAccount(/** @type {`0x${string}`} */ (WALLET_KEY)),
  });
  const receiver = await startReceiver(Number(RECEIVER_PORT ?? 0));
  await workShift({ baseUrl: BASE_URL, fetch: wrapFetchWithPayment(fetch, client), receiver });
  await receiver.close();
}
