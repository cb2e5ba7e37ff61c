/** Readiness asks the facilitators themselves: whether each network's payments can be verified and settled now. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeClock } from "../../support/clock.js";
import { openShop, type ShopOptions } from "../../support/shop.js";
import { TREASURY } from "../../support/wallets.js";

const BASE = "eip155:8453";
const POLYGON = "eip155:137";
type Answer = () => Promise<Response> | Response;

const lists = (...networks: string[]) =>
  Response.json({ kinds: networks.map((network) => ({ x402Version: 2, scheme: "exact", network })) });
const refuses: Answer = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }));
const hangs: Answer = () => new Promise<Response>(() => {});

/** A shop on Base and Polygon, whose facilitators `a` and `b` answer as told. */
function open(answers: Record<string, Answer>, options: ShopOptions = {}) {
  const asked: string[] = [];
  const lines: { level: string; text: string; facts: object }[] = [];
  const log = (level: string) => (facts: object, text?: string) => void lines.push({ level, text: text ?? "", facts });
  const names = Object.keys(answers);
  const shop = openShop({
    payment: {
      treasury: { [BASE]: TREASURY, [POLYGON]: TREASURY },
      facilitator: names.map((name) => ({ url: `https://${name}.test` })),
      rpc: false,
    },
    fetch: async (input) => {
      const { hostname, pathname } = new URL(String(input));
      const [name = ""] = hostname.split(".");
      asked.push(name + pathname);
      return (await answers[name]?.()) ?? new Response(null, { status: 404 });
    },
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    ...options,
  });
  const ready = async () => {
    const response = await shop.get("/readyz");
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  return { ...shop, asked, lines, ready };
}

afterEach(() => vi.useRealTimers());

describe("/readyz and the facilitators", () => {
  it("was 200 while no facilitator could be reached: it is 503, and says so of each network", async () => {
    const { ready, lines } = open({ a: refuses, b: () => new Response("no", { status: 503 }) });
    const { status, body } = await ready();
    expect([status, body]).toMatchObject([
      503,
      {
        status: "unavailable",
        checks: { store: "ok", payment: "no network can be paid now: see rails" },
        rails: { [BASE]: "unreachable", [POLYGON]: "unreachable" },
      },
    ]);
    expect(lines.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
      expect.stringContaining("no facilitator can be reached"),
    ]);
  });

  it("is 200 while one network can be paid", async () => {
    const { ready, lines } = open({ a: refuses, b: () => lists(POLYGON) });
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: "ok", rails: { [BASE]: "unreachable", [POLYGON]: "ok" } },
    });
    const told = lines.filter(({ text }) => text.startsWith("payment: "));
    expect(told).toMatchObject([{ level: "warn", facts: { networks: [BASE] } }]);
  });

  it("takes a facilitator that lists nothing, or has no such list, at its word that it is there", async () => {
    for (const answer of [() => lists(), () => new Response("", { status: 404 })])
      expect(await open({ a: answer }).ready()).toMatchObject({ status: 200, body: { rails: { [BASE]: "ok" } } });
    for (const status of [401, 403, 500, 502])
      expect((await open({ a: () => new Response("", { status }) }).ready()).status).toBe(503);
  });

  it("knows networks by their former names", async () => {
    const { ready } = open({ a: () => lists("base", "polygon") });
    expect((await ready()).body.rails).toEqual({ [BASE]: "ok", [POLYGON]: "ok" });
  });

  it("asks one question at a time, and keeps the answer for ten seconds", async () => {
    const clock = fakeClock();
    const { ready, asked } = open({ a: () => lists(BASE, POLYGON) }, { clock });
    await Promise.all(Array.from({ length: 50 }, ready));
    clock.advance(9);
    await ready();
    expect(asked).toEqual(["a/supported"]);
    clock.advance(1);
    await Promise.all(Array.from({ length: 50 }, ready));
    expect(asked).toEqual(["a/supported", "a/supported"]);
  });

  it("sees a facilitator go and come back, and logs each change once", async () => {
    const clock = fakeClock();
    const answers = { a: refuses };
    const { ready, lines } = open(answers, { clock });
    for (const answer of [refuses, () => lists(BASE, POLYGON), () => lists(BASE, POLYGON)]) {
      expect((await ready()).status).toBe(answers.a === refuses ? 503 : 200);
      clock.advance(10);
      answers.a = answer as typeof refuses;
    }
    expect((await ready()).status).toBe(200);
    expect(lines.filter(({ text }) => text.startsWith("payment: ")).map(({ level }) => level)).toEqual([
      "error",
      "info",
    ]);
  });

  it("waits two seconds for one that hangs, and not at all where another one answers for every network", async () => {
    const { ready } = open({ a: hangs, b: () => lists(BASE, POLYGON) });
    const [first] = await Promise.all([ready(), wait(0)]);
    expect(first.status).toBe(200);
    const alone = open({ a: hangs }, { store: undefined as never });
    const began = performance.now();
    expect((await alone.ready()).status).toBe(503);
    expect(performance.now() - began).toBeGreaterThan(1900);
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it("asks no facilitator of a host whose calls are free", async () => {
    const shop = openShop({ payment: false });
    expect(await (await shop.get("/readyz")).json()).toEqual({
      status: "ok",
      checks: { store: "ok", payment: "ok" },
    });
    expect(shop.facilitator.trace).toEqual([]);
  });
});

describe("the start", () => {
  it("said nothing of facilitators that cannot be reached", async () => {
    const { lines } = open({ a: refuses });
    await vi.waitFor(
      () =>
        expect(lines).toContainEqual(
          expect.objectContaining({ level: "error", text: expect.stringContaining("no facilitator can be reached") }),
        ),
      { timeout: 20_000 },
    );
  });

  it("says nothing where all can be paid", async () => {
    const { lines, asked } = open({ a: () => lists(BASE, POLYGON) });
    await vi.waitFor(() => expect(asked).toEqual(["a/supported"]), { timeout: 20_000 });
    await wait(10);
    expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
  });
});
