/** What facilitators told of extensions, kept for `coinslot doctor`. */
import { Redis } from "ioredis";
import { afterAll, expect, it } from "vitest";
import { run } from "../../../src/cli/commands/doctor.js";
import { keepExtension, keptExtensions } from "../../../src/payment/x402/told-extensions.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { createRedisStore } from "../../../src/stores/redis/index.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { startRedis } from "../../support/redis.js";
import { announceSkip } from "../../support/server.js";
import { openShop } from "../../support/shop.js";

const REJECTED = { status: "rejected", code: "too_long", rejectedReason: "the description is too long" };
const redis = await startRedis();
if (!redis) announceSkip("what doctor finds in a store", "no redis-server on this machine");
afterAll(() => redis?.stop());

/** A facilitator that tells something beside each answer. */
function telling(responses: object) {
  const facilitator = fakeFacilitator();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await facilitator.fetch(input, init);
    const header = Buffer.from(JSON.stringify(responses)).toString("base64");
    return new Response(response.body, { status: response.status, headers: { "extension-responses": header } });
  };
  return { facilitator, fetch };
}

it.skipIf(!redis)(
  "doctor tells the last of each extension, as the instances of a host left it in their store",
  async () => {
    const client = new Redis(redis?.url ?? "");
    const store = createRedisStore(client);
    const shop = openShop({ trial: false, store, ...telling({ bazaar: REJECTED, other: { status: "success" } }) });
    const answer = await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1"));
    expect(answer.status).toBe(200);
    await expect.poll(() => keptExtensions(store)).toHaveLength(2);
    const printed: string[] = [];
    const terminal = { out: (line: string) => void printed.push(line) };
    await run({ terminal, options: { json: true }, env: { REDIS_URL: redis?.url ?? "" } } as never);
    const { findings } = JSON.parse(printed.join("\n")) as { findings: { about: string; name: string }[] };
    const about = "Extensions, as the facilitator last took them";
    const told = findings.filter((one) => one.about === about).sort((a, b) => (a.name < b.name ? -1 : 1));
    const why = /^rejected for test\.work \((?:verify|settle), .* UTC\): too_long, the description is/;
    expect(told).toMatchObject([
      { name: "bazaar", state: "warning", detail: expect.stringMatching(why) },
      { name: "other", state: "ok", detail: expect.stringMatching(/^success for test\.work/) },
    ]);
    client.disconnect();
  },
);

it("keeps a row for each extension and kind of answer, the newest, whatever a facilitator says", async () => {
  const store = createMemoryStore();
  for (let n = 0; n < 20; n++)
    for (const status of ["rejected", "success", `odd ${n}`])
      await keepExtension(store, { extension: "bazaar", request: "settle", endpoint: `e.${n}`, status }, n * 1000);
  const kept = await keptExtensions(store);
  expect(kept.map(({ status }) => status).sort()).toEqual(["odd 19", "rejected", "success"]);
  expect(new Set(kept.map(({ endpoint }) => endpoint))).toEqual(new Set(["e.19"]));
});

it("costs no payment anything while the store does not take it", async () => {
  const store = createMemoryStore();
  const failing = { ...store, put: () => Promise.reject(new Error("full")) };
  await keepExtension(failing, { extension: "bazaar", request: "settle" }, 0);
  expect(await keptExtensions(store)).toEqual([]);
});
