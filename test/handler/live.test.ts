/** Upstreams of a running service: who asks them, how often, and what a service does when their answers change. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { rows } from "../../src/capability/output.js";
import { defineProvider } from "../../src/capability/provider.js";
import { CapabilityError } from "../../src/errors.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { upstream } from "../../src/upstream/client.js";
import { label, whole } from "../../src/upstream/fields.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";
import { OPEN_TERMS } from "../support/terms.js";
import { alice, bob, quoteOf, sign } from "../support/wallets.js";

const HOUR = 3_600_000;
const river = (name: string) =>
  defineProvider({
    ...{ name, url: "https://river.example", license: "none", terms: OPEN_TERMS },
    baseUrl: `https://${name.toLowerCase()}.example`,
  });
const driftOf = (body: object) => (body as { drift?: unknown }).drift;

const level = (name: string, provider: ReturnType<typeof river>, more: object = {}) =>
  defineCapability({
    id: `river.${name}`,
    summary: `The level of a river, by ${provider.name}.`,
    price: "0.001",
    provider,
    ...more,
    input: () => z.strictObject({ at: z.string().default("here").describe("A station") }),
    output: rows(() => z.object({ cm: z.number() })),
    example: { at: "there" },
    async run({ at }, ctx) {
      const schema = z.object({ cm: z.number() });
      const { cm } = await upstream(ctx, provider).get("/level", { schema, query: { at } });
      return { items: [{ cm }], total: null };
    },
  });
const [elbe, rhine, oder] = [river("Elbe"), river("Rhine"), river("Oder")];
const capabilities = [
  level("elbe", elbe),
  level("mouth", elbe),
  level("rhine", rhine),
  level("dear", oder, { live: { metered: true } }),
];

interface Opened {
  store?: Store;
  options?: Partial<HandlerOptions>;
}

/** Rivers whose answers a test changes, and a service that reads them. */
function openWorld() {
  let at = Date.parse("2026-05-01T00:00:00Z");
  const asked: string[] = [];
  const cm: Record<string, unknown> = { "elbe.example": 1, "rhine.example": 2 };
  const events: { outcome: string; id: string; by: string; failures: number }[] = [];
  const open = ({ store, options = {} }: Opened = {}) => {
    const handle = createHandler({
      capabilities,
      payment: false,
      live: { everyHours: 24 },
      clock: () => new Date(at),
      store: store ?? createMemoryStore({ clock: () => new Date(at) }),
      cache: false,
      logger: silent,
      onDrift: ({ outcome, id, by, failures }) => void events.push({ outcome, id, by, failures }),
      async fetch(input) {
        const { host } = new URL(String(input));
        asked.push(host);
        return Response.json({ cm: cm[host] });
      },
      ...options,
    });
    const get = (path: string) => handle(new Request(`http://host.test/api${path}`));
    return { handle, get };
  };
  return {
    ...{ open, asked, cm, events },
    later: (ms: number) => {
      at += ms;
    },
  };
}
/** A paid service with an endpoint that no check asks, and that cannot read its source while `isOdd` says so. */
function openDear(isOdd: () => boolean) {
  const dear = defineCapability({
    ...{ id: "river.deep", summary: "The depth of a river.", price: "0.001", provider: oder, live: { metered: true } },
    input: () => z.strictObject({}),
    output: rows(() => z.object({ cm: z.number() })),
    example: {},
    run() {
      if (isOdd()) throw new CapabilityError("UPSTREAM_SCHEMA", "The source answered in words.");
      return { items: [{ cm: 1 }], total: null };
    },
  });
  const shop = openShop({
    ...{ capabilities: [dear], live: { everyHours: 24 }, logger: silent },
    trial: { perHour: 1000 },
  });
  return {
    shop,
    /** Resolves once what was noted of it is stored. */
    async call(wallet: typeof alice): Promise<number> {
      const quote = await shop.get("/river/deep");
      if (quote.status !== 402) return quote.status;
      const [terms] = quoteOf(quote).accepts;
      if (!terms) throw new Error("nothing offered");
      const { status } = await shop.pay("/river/deep", await sign(terms, { now: shop.clock.seconds(), wallet }));
      await new Promise((resolve) => setTimeout(resolve, 30));
      return status;
    },
  };
}
type World = ReturnType<typeof openWorld>;

/** Whole days of a service whose platform has a clock. */
async function days(world: World, { handle }: ReturnType<World["open"]>, count: number): Promise<void> {
  for (let hour = 0; hour < count * 24; hour++) {
    world.later(HOUR);
    await handle.tick();
  }
}

describe("checks of a running service", () => {
  it("ask nothing, and keep nothing, where a host does not want them", async () => {
    const world = openWorld();
    const { live: _, ...without } = { live: 0 };
    const service = world.open({ options: { ...without, live: undefined } as Partial<HandlerOptions> });
    await days(world, service, 2);
    expect(world.asked).toEqual([]);
    expect(await bodyOf(await service.get("/readyz"))).not.toHaveProperty("drift");
  });

  it("ask one call of each provider a day, spread over it, and never what is metered", async () => {
    const world = openWorld();
    const service = world.open();
    const hours: number[][] = [];
    for (let hour = 0; hour < 72; hour++) {
      const before = world.asked.length;
      world.later(HOUR);
      await service.handle.tick();
      for (const host of world.asked.slice(before)) hours.push([hour, host === "elbe.example" ? 0 : 1]);
    }
    expect(world.asked.filter((host) => host === "elbe.example")).toHaveLength(3);
    expect(world.asked.filter((host) => host === "rhine.example")).toHaveLength(3);
    expect(world.asked).not.toContain("oder.example");
    const first = hours.find(([, river]) => river === 0)?.[0];
    expect(hours.find(([, river]) => river === 1)?.[0]).not.toBe(first);
  });

  it("are made by one process of all that share a store", async () => {
    const world = openWorld();
    const store = createMemoryStore();
    const services = [world.open({ store }), world.open({ store }), world.open({ store })];
    for (const { handle } of services) await handle.tick();
    world.later(25 * HOUR);
    await Promise.all(services.map(({ handle }) => handle.tick()));
    expect(world.asked.sort()).toEqual(["elbe.example", "rhine.example"]);
  });
});

describe("an upstream that changed", () => {
  it("is told each time, and after three failures in a row its endpoint is sold nowhere, until it answers as before", async () => {
    const world = openWorld();
    const service = world.open();
    world.cm["rhine.example"] = "two metres";
    await days(world, service, 2);
    expect((await service.get("/river/rhine")).status).toBe(502);
    world.events.length = 0;
    await days(world, service, 2);
    expect(world.events.filter(({ id }) => id === "river.rhine").map(({ outcome }) => outcome)).toEqual([
      "noticed",
      "unavailable",
    ]);
    const refused = await service.get("/river/rhine");
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([503, "UPSTREAM_DRIFT"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await service.get("/river/elbe")).status).toBe(200);

    const { endpoints } = service.handle.directory();
    expect(endpoints.find(({ id }) => id === "river.rhine")).toMatchObject({
      available: false,
      reason: /source changed/,
    });
    expect(Object.keys(service.handle.openapi().paths)).not.toContain("/api/river/rhine");
    expect(await (await service.get("/llms.txt")).text()).not.toContain("river.rhine");
    expect(driftOf(await bodyOf(await service.get("/readyz")))).toEqual([
      expect.objectContaining({ id: "river.rhine", class: "parser", available: false }),
    ]);
    const page = await (await service.handle.earnings(new Request("http://host.test/"))).text();
    expect(page).toMatch(/Upstreams[\s\S]*river\.rhine/);

    world.cm["rhine.example"] = 3;
    await days(world, service, 1);
    expect(world.events.at(-1)).toMatchObject({ outcome: "recovered", id: "river.rhine" });
    expect((await service.get("/river/rhine")).status).toBe(200);
  });

  it("is noticed by callers' own calls first, which cost no request more", async () => {
    const world = openWorld();
    const service = world.open();
    await service.handle.tick();
    world.cm["elbe.example"] = null;
    for (let call = 0; call < 3; call++) expect((await service.get("/river/elbe")).status).toBe(502);
    await expect
      .poll(() => world.events.map(({ outcome, by }) => `${outcome} by ${by}`))
      .toEqual(["noticed by call", "noticed by call", "noticed by call", "unavailable by call"]);
    expect(world.asked).toHaveLength(3);
    expect((await service.get("/river/elbe")).status).toBe(503);
    expect(world.asked).toHaveLength(3);
    // The next round looks at it at once, and it is sold again.
    world.cm["elbe.example"] = 4;
    await service.handle.tick();
    expect((await service.get("/river/elbe")).status).toBe(200);
  });

  it("stays sold where a caller asks for odd records on purpose and a check has just found it well", async () => {
    const world = openWorld();
    const service = world.open();
    await days(world, service, 2);
    // One failure, so that the next check looks at this endpoint; more would leave the breaker of the upstream half open.
    world.cm["elbe.example"] = null;
    await service.get("/river/elbe");
    await expect.poll(() => world.events.length).toBe(1);
    world.cm["elbe.example"] = 5;
    await days(world, service, 1);
    world.cm["elbe.example"] = null;
    for (let call = 0; call < 4; call++) {
      const { length } = world.asked;
      expect((await service.get("/river/elbe")).status).toBe(502);
      expect(world.asked.length).toBe(length + 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it("that no check can ask closes an endpoint only by failures of several payers, with no success between", async () => {
    let isOdd = true;
    const { shop, call } = openDear(() => isOdd);
    // Trials, and a payer who asks for odd records on purpose.
    for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"])
      expect((await shop.get("/river/deep", { "x-svc-trial": "1" }, address)).status).toBe(502);
    for (let n = 0; n < 4; n++) expect(await call(alice)).toBe(502);
    // A success between, and all of that is forgotten.
    isOdd = false;
    expect(await call(bob)).toBe(200);
    isOdd = true;
    for (let n = 0; n < 4; n++) expect(await call(alice)).toBe(502);
    expect(await call(bob)).toBe(502);
    expect(await call(alice)).toBe(503);
    // An hour later it is tried again, and one payer alone does not keep it closed.
    shop.clock.advance(3601);
    for (let n = 0; n < 4; n++) expect(await call(alice)).toBe(502);
  });

  it("is forgotten after an answer that could be read, so that only failures in a row count", async () => {
    const world = openWorld();
    const service = world.open();
    for (const cm of [null, null, 6, null, null, 7]) {
      world.cm["elbe.example"] = cm;
      await service.get("/river/elbe");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(world.events.map(({ outcome }) => outcome)).not.toContain("unavailable");
    expect(driftOf(await bodyOf(await service.get("/readyz")))).toEqual([]);
  });

  it("is told to the host's webhooks", async () => {
    const world = openWorld();
    const webhooks = [
      { url: "https://ops.example/hook", secret: `whsec_${"A".repeat(44)}`, events: ["drift"] as const },
    ];
    const service = world.open({ options: { webhooks } });
    world.cm["elbe.example"] = null;
    await service.get("/river/elbe");
    await expect.poll(() => world.events.length).toBe(1);
    await service.handle.tick();
    await expect.poll(() => world.asked).toContain("ops.example");
    await service.handle.close();
  });

  it("is known at another instance, and its events hold no value", async () => {
    const world = openWorld();
    const store = createMemoryStore();
    const told: unknown[] = [];
    const [one, two] = [
      world.open({ store, options: { onDrift: (event) => void told.push(event) } }),
      world.open({ store }),
    ];
    world.cm["elbe.example"] = "MARKER";
    for (let call = 0; call < 3; call++) await one.get("/river/elbe?at=MARKER");
    await one.handle.close().catch(() => {});
    expect((await two.get("/river/elbe")).status).toBe(503);
    expect(JSON.stringify(told)).not.toContain("MARKER");
    expect(told[0]).toMatchObject({ kind: "drift", class: "parser", differences: [{ path: "cm" }] });
  });
});

describe("a fact that an upstream drops", () => {
  const KEYS = { method: "GET", path: "/level", objects: "\tcm! n|trend! s\tnote" };
  /** `trend` is missing as long as the river has none. */
  function openRiver(more: Partial<HandlerOptions> = {}) {
    const world = openWorld();
    const watched = { ...elbe, inventory: async () => ({ inventory: [KEYS] }) };
    const schema = whole({ cm: z.number(), trend: label() });
    const trend = defineCapability({
      ...{ id: "river.trend", summary: "The level of a river.", price: "0.001", provider: watched },
      input: () => z.strictObject({ at: z.string().default("here").describe("A station") }),
      output: rows(() => z.object({ cm: z.number(), trend: z.string().nullable() })),
      example: { at: "there" },
      run: async ({ at }, ctx) => ({
        items: [await upstream(ctx, watched).get("/level", { schema, query: { at } })],
        total: null,
      }),
    });
    let body: object = { cm: 1, trend: "up" };
    const options = { capabilities: [trend], fetch: async () => Response.json(body), ...more };
    const opened = world.open({ options });
    return {
      ...{ world, opened },
      answer: (next: object) => {
        body = next;
      },
      async ask(times: number): Promise<number[]> {
        const statuses: number[] = [];
        for (let call = 0; call < times; call++) {
          world.later(HOUR / 4);
          statuses.push((await opened.get(`/river/trend?at=${call}`)).status);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return statuses;
      },
    };
  }

  it("is null in few answers, and closes the endpoint once nearly all answers of a day lack it", async () => {
    const { world, opened, ask, answer } = openRiver();
    await ask(5);
    answer({ cm: 1 });
    expect(new Set(await ask(19))).toEqual(new Set([200]));
    await ask(100);
    const closed = await opened.get("/river/trend");
    expect(closed.status).toBe(503);
    await expect(bodyOf(closed)).resolves.toMatchObject({ code: "UPSTREAM_DRIFT" });
    expect(world.events.filter(({ outcome }) => outcome === "unavailable")).toHaveLength(1);
  });

  it("closes nothing while a tenth of the answers have it", async () => {
    const { opened, ask, answer } = openRiver();
    for (let round = 0; round < 6; round++) {
      answer({ cm: 1 });
      await ask(9);
      answer({ cm: 1, trend: "up" });
      await ask(1);
    }
    expect((await opened.get("/river/trend")).status).toBe(200);
  });

  it("is told as soon as a check finds it again, and not by the answers of callers", async () => {
    const { world, opened, ask, answer } = openRiver();
    answer({ cm: 1 });
    await ask(30);
    expect((await opened.get("/river/trend")).status).toBe(503);
    answer({ cm: 1, trend: "down" });
    await days(world, opened, 2);
    expect((await opened.get("/river/trend")).status).toBe(200);
  });

  it("closes no endpoint again that a check has just found well: odd records may be asked for on purpose", async () => {
    const { opened, ask, answer } = openRiver();
    await opened.handle.tick();
    answer({ cm: 1 });
    await ask(30);
    answer({ cm: 1, trend: "up" });
    await opened.handle.tick();
    expect((await opened.get("/river/trend")).status).toBe(200);
    answer({ cm: 1 });
    await ask(30);
    expect((await opened.get("/river/trend")).status).toBe(200);
  });
});
