import { describe, expect, it } from "vitest";
import { barcodeGenerate } from "../../src/capabilities/barcode/generate.js";
import { batchRun } from "../../src/capabilities/batch/run.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";
import { toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const TRIAL = { "x-svc-trial": "1" };

function open(options: ShopOptions = {}) {
  const shop = openShop(options);
  return {
    ...shop,
    tryIt: (path = WORK, address?: string, headers = {}) => shop.get(path, { ...TRIAL, ...headers }, address),
  };
}

const codeOf = async (response: Response) => (await bodyOf(response)).extensions?.code;

describe("the free trial", () => {
  it("TRI-1 100 concurrent calls of one caller give exactly one 200", async () => {
    const shop = open();
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.tryIt()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(99);
  });

  it("TRI-1 over three instances on one store there is still one", async () => {
    const store = createMemoryStore();
    const shops = [open({ store }), open({ store }), open({ store })];
    const answers = await Promise.all(shops.flatMap((shop) => Array.from({ length: 20 }, () => shop.tryIt())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("TRI-2 addresses in headers mean nothing", async () => {
    const shop = open();
    const names = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"];
    const answers: Response[] = [];
    for (let i = 0; i < 1000; i++) {
      const address = `198.51.${i >> 8}.${i & 255}`;
      answers.push(await shop.tryIt(WORK, undefined, Object.fromEntries(names.map((name) => [name, address]))));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("TRI-3 one IPv6 /64 is one caller, a mapped IPv4 is that IPv4, zones mean nothing", async () => {
    const shop = open();
    const statuses = async (...addresses: string[]) => {
      const answers: number[] = [];
      for (const address of addresses) answers.push((await shop.tryIt(WORK, address)).status);
      return answers;
    };
    expect(
      await statuses("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::9", "2001:db8:1:2::1%eth0"),
    ).toEqual([200, 402, 402, 402]);
    expect(await statuses("2001:db8:1:3::1")).toEqual([200]);
    expect(await statuses("192.0.2.9", "::ffff:192.0.2.9", "192.0.2.10")).toEqual([200, 402, 200]);
  });

  it("TRI-3 one IPv6 /48 has 64 an hour", async () => {
    const shop = open();
    const answers: number[] = [];
    for (let i = 0; i < 70; i++) answers.push((await shop.tryIt(WORK, `2001:db8:7:${i.toString(16)}::1`)).status);
    expect(answers.filter((status) => status === 200)).toHaveLength(64);
  });

  it("TRI-4 header and query select the same trial, which is no part of the request's fingerprint", async () => {
    const shop = open();
    expect((await shop.get(`${WORK}&trial=1`)).status).toBe(200);
    expect((await shop.tryIt()).status).toBe(402);
    const payment = await shop.payFor(WORK);
    const first = await shop.pay(WORK, payment);
    const second = await shop.pay(`${WORK}&trial=1`, payment);
    expect(await second.text()).toBe(await first.text());
  });

  it.each(["2", "0", "true", ""])("trial=%j is refused", async (value) => {
    const shop = open();
    expect((await shop.get(`${WORK}&trial=${value}`)).status).toBe(400);
    expect((await shop.tryIt()).status).toBe(200);
  });

  it("TRI-5 a 400, a 405, an unknown route and a failed run give it back; a 404 answer uses it", async () => {
    const shop = open();
    await shop.tryIt("/test/work?n=x");
    await shop.handle(new Request("http://shop.test/api/test/work", { method: "PUT", headers: TRIAL }), {});
    await shop.tryIt("/test/nothing");
    shop.behaviours.push(failing("UPSTREAM_ERROR"));
    expect((await shop.tryIt()).status).toBe(502);
    shop.behaviours.push(failing("NOT_FOUND"));
    expect((await shop.tryIt()).status).toBe(404);
    expect((await shop.tryIt()).status).toBe(402);
  });

  it("TRI-5 after five failed runs there is none until the hour ends", async () => {
    const shop = open();
    for (let i = 0; i < 5; i++) {
      shop.behaviours.push(failing());
      expect((await shop.tryIt()).status).toBe(502);
    }
    expect((await shop.tryIt()).status).toBe(402);
    shop.clock.advance(3601);
    expect((await shop.tryIt()).status).toBe(200);
  });

  it("TRI-6 the hour slides with the caller, not with the clock", async () => {
    const clock = fakeClock("2026-06-01T12:59:50Z");
    const shop = open({ clock });
    expect((await shop.tryIt()).status).toBe(200);
    clock.advance(3599);
    const refused = await shop.tryIt();
    expect(refused.status).toBe(402);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await bodyOf(refused)).error).toContain("2026-06-01T13:59:50.000Z");
    clock.advance(2);
    expect((await shop.tryIt()).status).toBe(200);
  });

  it("TRI-7 a call quoted above the ceiling is no trial, and the answer names the ceiling", async () => {
    const shop = open();
    const response = await shop.tryIt("/test/dear?n=1");
    expect(response.status).toBe(402);
    expect(await bodyOf(response)).toMatchObject({
      error: expect.stringContaining("0.1 USD"),
      extensions: { code: "TRIAL_TOO_COSTLY" },
    });
  });

  it("TRI-8 a caller's and the deployment's budgets end the trials, not the paid calls", async () => {
    const shop = open({ trial: { perHour: 100, callerBudgetUsd: "0.003", deploymentBudgetUsd: "0.005" } });
    const statuses = async (address: string, calls: number) => {
      const answers: number[] = [];
      for (let i = 0; i < calls; i++) answers.push((await shop.tryIt(WORK, address)).status);
      return answers;
    };
    expect(await statuses("192.0.2.1", 4)).toEqual([200, 200, 200, 402]);
    expect(await statuses("192.0.2.2", 3)).toEqual([200, 200, 402]);
    expect(await codeOf(await shop.tryIt(WORK, "192.0.2.3"))).toBe("TRIAL_BUDGET_SPENT");
    expect((await shop.pay(WORK, await shop.payFor(WORK))).status).toBe(200);
  });

  it("TRI-9 a batch is one call of batch.run under the same ceiling, and leaves its endpoints' own trials alone", async () => {
    const shop = open({ capabilities: [batchRun, convertUnit, barcodeGenerate] });
    const batch = (calls: unknown[]) => {
      const init = { method: "POST", headers: TRIAL, body: JSON.stringify({ calls }) };
      return shop.handle(new Request("http://shop.test/api/batch/run", init), { clientAddress: "192.0.2.77" });
    };
    const unit = { endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } };
    expect((await batch([unit, unit])).status).toBe(200);
    expect(await codeOf(await batch([unit]))).toBe("TRIAL_USED");
    expect((await shop.tryIt("/convert/unit?value=1&from=kg&to=lb", "192.0.2.77")).status).toBe(200);
    const dear = open({ capabilities: [batchRun, convertUnit], pricing: { overrides: { "convert.unit": "0.0021" } } });
    const init = {
      method: "POST",
      headers: TRIAL,
      body: JSON.stringify({ calls: Array.from({ length: 50 }, () => unit) }),
    };
    expect(await codeOf(await dear.handle(new Request("http://shop.test/api/batch/run", init)))).toBe(
      "TRIAL_TOO_COSTLY",
    );
  });

  it("TRI-10 a payment that comes along is charged only once the trial is spent", async () => {
    const shop = open();
    const headers = { ...TRIAL, "payment-signature": toHeader(await shop.payFor(WORK)) };
    expect((await bodyOf(await shop.get(WORK, headers))).meta.caller).toBe("trial");
    expect(shop.facilitator.settled).toHaveLength(0);
    expect((await bodyOf(await shop.get(WORK, headers))).meta.caller).toBe("paid");
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("TRI-11 callers without an address share one trial", async () => {
    const shop = open();
    const request = () => new Request("http://shop.test/api/test/work?n=1", { headers: TRIAL });
    const answers = [await shop.handle(request()), await shop.handle(request(), { clientAddress: "not an address" })];
    expect(answers.map(({ status }) => status)).toEqual([200, 402]);
  });

  it("TRI-11 when the store is down nothing is given away", async () => {
    const memory = createMemoryStore();
    const down = async (): Promise<never> => {
      throw new Error("connection refused");
    };
    for (const method of ["get", "put", "increment"] as const) {
      const store: Store = { ...memory, shared: true, [method]: down };
      const response = await open({ store }).tryIt();
      expect(response.status).toBe(502);
      expect(await response.text()).not.toContain("connection refused");
    }
  });

  it("TRI-12 no address is in the store, and the answer says what is left", async () => {
    const store = createMemoryStore();
    const written: string[] = [];
    const put: Store["put"] = (key, value, options) => {
      written.push(key, value);
      return store.put(key, value, options);
    };
    const shop = open({ store: { ...store, put } });
    const { meta } = await bodyOf(await shop.tryIt(WORK, "192.0.2.55"));
    expect(written.length).toBeGreaterThan(0);
    expect(written.join(" ")).not.toContain("192.0.2.55");
    expect(meta).toMatchObject({
      caller: "trial",
      costUsd: "0",
      trial: { remaining: 0, resetAt: "2026-06-01T13:00:00.000Z" },
    });
  });

  it("is off when the host says so", async () => {
    const shop = open({ trial: false });
    expect((await shop.tryIt()).status).toBe(402);
    expect(shop.runs()).toBe(0);
  });
});
