/** Measurements of a host: what they count, who may read them, and how many series there are. */
import { request } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { prometheusName } from "../../src/metrics/instruments.js";
import { createRecorder, type Sink } from "../../src/metrics/recorder.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
type Shop = ReturnType<typeof openShop>;

const closing: Shop[] = [];
afterEach(async () => {
  for (const shop of closing.splice(0)) await shop.handle.close();
});

function open(options: Parameters<typeof openShop>[0] = {}): Shop {
  const shop = openShop({ metrics: true, ...options });
  closing.push(shop);
  return shop;
}

/** The samples of a page, by name and labels. */
async function samplesOf(page: Response): Promise<Map<string, number>> {
  const lines = (await page.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

const ask = (shop: Shop, headers: Record<string, string> = {}, clientAddress?: string) =>
  shop.handle(new Request("http://shop.test/api/metrics", { headers }), clientAddress ? { clientAddress } : {});

describe("the page of metrics", () => {
  it("counts calls, their steps, and what the store and the facilitator were asked", async () => {
    const shop = open();
    await shop.get(WORK);
    await shop.pay(WORK, await shop.payFor(WORK));
    await shop.get("/test/work?n=no");
    const page = await ask(shop);
    expect(page.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const samples = await samplesOf(page);
    const of = (name: string) => [...samples].filter(([key]) => key.startsWith(name));
    const call = 'endpoint="test.work",outcome=';
    expect(of(`coinslot_calls_total{${call}"challenged"`)).toMatchObject([[expect.any(String), 2]]);
    const paid = `coinslot_calls_total{${call}"paid",status="200",caller="paid",network="eip155:8453"}`;
    expect(samples.get(paid)).toBe(1);
    expect(of(`coinslot_calls_total{${call}"failed",status="400"`)).toHaveLength(1);
    expect(samples.get('coinslot_charged_usd_total{endpoint="test.work"}')).toBe(0.001);
    expect(samples.get('coinslot_step_duration_seconds_count{step="settle"}')).toBe(1);
    const asked = (operation: string) =>
      samples.get(
        `coinslot_facilitator_duration_seconds_count{facilitator="https://facilitator.test",operation="${operation}",outcome="ok"}`,
      );
    expect([asked("verify"), asked("settle")]).toEqual([1, 1]);
    expect(samples.get('coinslot_store_duration_seconds_count{operation="put",outcome="ok"}')).toBeGreaterThan(0);
    expect(samples.get('coinslot_network_payable{network="eip155:8453"}')).toBe(1);
    expect(of("nodejs_eventloop_lag_seconds")).not.toEqual([]);
  });

  it("tells of settlements whose outcome is open, and of their age", async () => {
    const facilitator = fakeFacilitator();
    const shop = open({ facilitator });
    facilitator.faults.settle.push("drop");
    await shop.pay(WORK, await shop.payFor(WORK));
    shop.clock.advance(30);
    const samples = await samplesOf(await ask(shop));
    expect(samples.get('coinslot_settlements_open{network="eip155:8453"}')).toBe(1);
    const age = samples.get('coinslot_settlements_open_age_seconds{network="eip155:8453"}');
    expect(age).toBeGreaterThanOrEqual(30);
    expect(age).toBeLessThan(32);
    const pending = [...samples.keys()].filter((key) => key.includes('operation="settle",outcome="pending"'));
    expect(pending).not.toEqual([]);
  });

  it("is for callers of this machine and of private networks, and not found by others", async () => {
    const shop = open();
    for (const near of [undefined, "127.0.0.1", "::1", "10.1.2.3", "::ffff:192.168.0.9", "fd00::5"])
      expect([near, (await ask(shop, {}, near)).status]).toEqual([near, 200]);
    // 6to4 and NAT64 lead anywhere, and a name that is no address is nobody's.
    for (const far of ["203.0.113.7", "2001:db8::1", "2002:a00:1::1", "64:ff9b::a00:1", "172.32.0.1", "unknown", ""])
      expect([far, (await ask(shop, { "x-probe": far }, far || "0")).status]).toEqual([far, 404]);
    for (const proxied of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
      expect([proxied, (await ask(shop, { [proxied]: "1" }, "127.0.0.1")).status]).toEqual([proxied, 404]);
  });

  it("wants the token that the host chose, from near callers too", async () => {
    const token = "a-token-of-the-host";
    const shop = open({ metrics: { token, path: "/internal/figures" } });
    const read = (headers: Record<string, string>) =>
      shop.handle(new Request("http://shop.test/internal/figures", { headers }), { clientAddress: "203.0.113.7" });
    for (const authorization of ["", "Bearer", `Bearer ${token}x`, `bearer ${token}`, token, `Basic ${token}`]) {
      const refused = await read({ authorization });
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="metrics"']);
      expect(await refused.text()).not.toContain("coinslot_");
    }
    expect((await read({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await ask(shop)).status).toBe(404);
  });

  it("is at a port of its own where the host wants that, which ends with the host", async () => {
    const told: { url?: string }[] = [];
    const logger = { ...silent, info: (facts: object) => void told.push(facts) };
    const shop = openShop({ metrics: { port: 0 }, logger });
    const url = await vi.waitFor(() => {
      const found = told.find((facts) => facts.url?.endsWith("/metrics"))?.url;
      if (found === undefined) throw new Error("not yet");
      return found;
    });
    expect(await (await fetch(url)).text()).toContain("coinslot_calls_total");
    expect((await fetch(url.replace("/metrics", "/api/test/work"))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
    expect((await ask(shop)).status).toBe(404);
    await shop.handle.close();
    const failed = await new Promise((resolve) => request(url).on("error", resolve).end());
    expect(failed).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("is not there unless a host asks for it, and then nothing is wrapped", async () => {
    const shop = open({ metrics: undefined });
    expect((await ask(shop)).status).toBe(404);
    expect(() => openShop({ metrics: { token: "short" } })).toThrow("metrics.token");
    expect(() => openShop({ metrics: { path: "metrics" } })).toThrow("metrics.path");
  });
});

describe("series", () => {
  it("are bounded, whatever the labels are", () => {
    const seen = new Set<string>();
    const sink: Sink = {
      isOn: () => true,
      add: (name, _by, labels) => void seen.add(name + JSON.stringify(labels)),
      record: () => undefined,
    };
    const metrics = createRecorder([sink], async () => "");
    const facts = { kind: "call", outcome: "failed", caller: "none", status: 400, durationMs: 1 } as const;
    for (let i = 0; i < 5000; i++) metrics.call({ ...facts, id: `made.up-${i}`, requestId: "r" });
    expect(seen.size).toBe(3001);
    metrics.call({ ...facts, id: "made.up-0", requestId: "r" });
    expect(seen.size).toBe(3001);
    expect([...seen].at(-1)).toContain('"endpoint":"other"');
  });

  it("have Prometheus' names, with units", () => {
    expect(prometheusName("coinslot.call.duration")).toBe("coinslot_call_duration_seconds");
    expect(prometheusName("coinslot.calls")).toBe("coinslot_calls_total");
    expect(prometheusName("coinslot.refunds.overdue")).toBe("coinslot_refunds_overdue_usd");
  });
});

it("a measurement that cannot be recorded fails no call, and is told once", async () => {
  const told: unknown[] = [];
  const broken: Sink = {
    isOn: () => true,
    add: () => Promise.reject(new Error("no room")),
    record: () => Promise.reject(new Error("no room")),
  };
  vi.doMock("../../src/metrics/open-recorder.js", () => ({
    openRecorder: () => createRecorder([broken], async () => ""),
  }));
  const { createMetrics } = await import("../../src/metrics/metrics.js");
  const metrics = createMetrics(
    true,
    async () => [],
    (error) => told.push(error),
  );
  const facts = { kind: "call", outcome: "failed", caller: "none", status: 400, durationMs: 1 } as const;
  for (let i = 0; i < 3; i++) await metrics.call({ ...facts, id: "test.work", requestId: "r" });
  metrics.time("coinslot.step.duration", 1, { step: "run" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toMatchObject([{ message: "no room" }]);
  vi.doUnmock("../../src/metrics/open-recorder.js");
});
