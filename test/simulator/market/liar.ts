/** A client with a limit, and a shop that says whatever it likes of what it took (ATK-8). */
import { createClient } from "../../../src/client/index.js";
import { least, toMicros } from "../../../src/lib/money.js";
import type { Market } from "./world.js";

const TOTAL_USD = "0.01";
const TOTAL = toMicros(TOTAL_USD);
const NETWORKS = ["eip155:8453", "eip155:8453", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"] as const;
const AMOUNTS = ["0", "-1000000", "NaN", "9".repeat(40), "1", "1000", "0.5", ""] as const;
const ENDPOINT = { method: "GET", path: "/api/test/work", price: { mode: "fixed", usd: "0.001" }, billing: "exact" };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

interface Offer {
  scheme: string;
  network: string;
  amount: string;
  maxTimeoutSeconds: number;
}

export async function deceive(world: Market): Promise<void> {
  const { random, timeline, fail } = world;
  /** What each payment is good for that was sent, and the highest ceiling of the client's channel. */
  const sent = new Map<string, bigint>();
  let ceiling = 0n;
  let sentCeiling = 0n;

  /** Signs honestly what it is asked, in any of the ways there are; its channel goes on from what the shop says. */
  async function createPaymentPayload({ accepts }: { accepts: Offer[] }): Promise<object> {
    const accepted = random.pick(accepts);
    const { amount, network } = accepted;
    const deadline = String(Math.floor(timeline.now / 1000) + random.pick([60, 600, 86_400]));
    const nonce = random.hex(8);
    const way = network.startsWith("solana:") ? "transaction" : random.pick(["exact", "upto", "voucher"]);
    if (way === "voucher") {
      // What its channel was at before, the client does not know.
      const jumps = ceiling > 0n && random.chance(0.2);
      ceiling += BigInt(amount) + (jumps ? BigInt(random.pick([1, 1_000_000])) : 0n);
      return {
        x402Version: 2,
        accepted,
        payload: { voucher: { channelId: "0x01", maxClaimableAmount: `${ceiling}` } },
      };
    }
    const payload = {
      transaction: { transaction: nonce },
      exact: { authorization: { value: amount, validBefore: deadline, nonce } },
      upto: { permit2Authorization: { permitted: { amount }, deadline, nonce } },
    }[way];
    return { x402Version: 2, accepted, payload };
  }

  function note(header: string): void {
    const { accepted, payload } = JSON.parse(Buffer.from(header, "base64").toString());
    if (payload.voucher) {
      const signed = BigInt(payload.voucher.maxClaimableAmount);
      if (signed > sentCeiling) sentCeiling = signed;
    } else sent.set(header, BigInt(accepted.amount));
    const all = [...sent.values()].reduce((sum, amount) => sum + amount, sentCeiling);
    // What is void by its time frees as much again, once.
    if (all > 2n * TOTAL) fail.call(world, "ATK-8", `${all} are signed and sent, of at most ${TOTAL}`);
  }

  const quote = () => {
    const offers = Array.from({ length: random.int(1, 3) }, () => ({
      ...{ scheme: "exact", network: random.pick(NETWORKS), asset: "0x01", payTo: "0x02", extra: {} },
      ...{ amount: String(random.int(1, 3000)), maxTimeoutSeconds: random.pick([0, 60, 600]) },
    }));
    const headers = { "payment-required": encode({ x402Version: 2, accepts: offers, resource: { url: "" } }) };
    return new Response("{}", { status: 402, headers });
  };

  function answer(): Response {
    const said = () => random.pick(AMOUNTS);
    const headers = new Headers();
    const receipt = () => encode({ success: random.chance(0.7), network: "eip155:8453", amount: said() });
    if (random.chance(0.7)) headers.set("payment-response", receipt());
    const usage = { returnedUsd: said(), creditedUsd: said(), owedUsd: said() };
    const meta = { endpoint: "test.work", caller: "paid", costUsd: said(), usage, payment: { amount: said() } };
    const status = random.pick([200, 200, 200, 402, 404, 410, 429, 500, 502, 503]);
    if (status === 402 && random.chance(0.5)) return quote();
    const problem = { code: random.pick(["UPSTREAM_ERROR", "SETTLEMENT_PENDING", "NOT_FOUND"]), detail: "no" };
    return Response.json(status === 200 ? { data: { ok: true, items: [] }, meta } : problem, { status, headers });
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    await timeline.sleep(random.int(1, 500));
    if (!request.url.includes("/test/work")) return Response.json({ endpoints: [{ id: "test.work", ...ENDPOINT }] });
    const header = request.headers.get("payment-signature");
    if (!header) return quote();
    note(header);
    if (random.chance(0.2)) throw new TypeError("fetch failed");
    return answer();
  };

  const pay = { createPaymentPayload } as never;
  const client = createClient<never>({ baseUrl: "http://liar.test", fetch, pay, maxTotalUsd: TOTAL_USD, retries: 1 });
  for (let round = 0; round < 20; round++) {
    const calls = Array.from({ length: random.int(1, 4) }, (_, i) =>
      client.$call("test.work" as never, { n: round * 4 + i } as never).catch(() => {}),
    );
    await Promise.all(calls);
    await timeline.sleep(random.pick([0, 1000, 120_000, 90_000_000]));
  }
  if (least(TOTAL, sentCeiling) === 0n && sent.size === 0) fail.call(world, "simulator", "nothing was ever sent");
}
