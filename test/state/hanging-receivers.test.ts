/** Who is served while others' receivers take a message and never answer. The test moves the clock; nothing waits. */
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { createResources } from "../../src/lib/resources.js";
import type { Database } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import type { Keys } from "../../src/state/webhooks/keys.js";
import { createSending } from "../../src/state/webhooks/sending.js";
import { outboundContext, scriptedLookup } from "../support/outbound.js";
import { onBothEngines } from "../support/wallets-engine.js";

const ATTEMPT_MS = 15_000;
const NOW = new Date("2027-01-01T00:00:00Z");

interface Crowd {
  wallet: string;
  /** Host names: each has one receiver, or as many as `each` if it never answered. */
  hosts: number;
  /** Due deliveries of each host. */
  each?: number;
  successes?: number;
  hangs?: boolean;
}

/** Receivers and what is due to them; a host that hangs says so in its name. */
async function fill(database: Database, crowd: Crowd) {
  const { wallet, hosts, each = 1, successes = 1, hangs = false } = crowd;
  const kind = `${wallet}-${hangs ? "hang" : "well"}${successes}`;
  const perHost = successes === 0 ? each : 1;
  const receivers = `select '${kind}-' || h || '-' || r as id, 'https://${kind}-' || h || '.example' as origin
    from generate_series(1, ${hosts}) h, generate_series(1, ${perHost}) r`;
  await database.query(
    `insert into @callbacks (id, wallet, url, origin, state, successes, created_at)
      select id, $1, origin || '/', origin, 'active', $2::int, $3::timestamptz from (${receivers}) c`,
    [wallet, successes, NOW],
  );
  const events = `select id, id || '-' || n as event, n from (${receivers}) c, generate_series(1, ${each / perHost}) n`;
  await database.query(
    `insert into @events (id, wallet, source, number, type, body, created_at, expires_at)
      select event, $1, id, n, 't', '{}', $2::timestamptz, $2::timestamptz from (${events}) d`,
    [wallet, NOW],
  );
  await database.query(
    `insert into @deliveries (event, callback, wallet, state, due_at, created_at)
      select event, id, $1, 'pending', $2::timestamptz, $2::timestamptz from (${events}) d`,
    [wallet, NOW],
  );
}

onBothEngines("while receivers hang", (engine) => {
  const resources = createResources();
  const releases: (() => Promise<unknown>)[] = [];
  let tests = 0;
  afterEach(async () => {
    for (const release of releases.splice(0)) await release();
    vi.restoreAllMocks();
  });
  afterAll(() => resources.close());

  /** Instances over one database, whose clock of durations moves on by a second at each look. */
  async function instances(count: number) {
    const database = await openWallets({ wallets: engine.options({ schema: `hang${tests++}` }), resources });
    await database.query("truncate @callbacks, @events, @deliveries cascade");
    let ms = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => ms);
    // An attempt's own time limit, which a slow machine would come to.
    const { setTimeout } = globalThis;
    const never = (work: () => void, after?: number) => setTimeout(work, after === ATTEMPT_MS ? 2 ** 31 - 1 : after);
    vi.spyOn(globalThis, "setTimeout").mockImplementation(never as typeof setTimeout);
    const asked: string[] = [];
    const events: string[] = [];
    const hung: ((response: Response) => void)[] = [];
    let isOver = false;
    const answer = () => new Response(null, { status: isOver ? 500 : 204 });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { hostname } = new URL(String(input));
      asked.push(hostname);
      events.push(new Headers(init?.headers).get("webhook-id") ?? "");
      if (!hostname.includes("hang") || isOver) return answer();
      return new Promise((resolve) => hung.push(resolve));
    };
    const sender = {
      ...{ database, slug: "acme", userAgent: "Acme", rules: {}, random: Math.random, now: async () => NOW },
      keys: { headersFor: async (_: unknown, { id }: { id: string }) => ({ "webhook-id": id }) } as unknown as Keys,
      outbound: () => outboundContext({ fetch, outbound: { lookup: scriptedLookup().lookup } }),
      ...{ mayStart: async () => true, onUnreadable: () => {} },
    };
    const failed: unknown[] = [];
    const sendings = Array.from({ length: count }, () => createSending(sender, (error) => failed.push(error)));
    const open = () => sendings.map((one) => [...one.underWay()].length);
    releases.push(async () => {
      isOver = true;
      for (const resolve of hung) resolve(answer());
      await Promise.all(sendings.flatMap((one) => [...one.underWay()]));
      expect(failed).toEqual([]);
      expect(new Set(events).size).toBe(events.length);
    });
    return {
      database,
      open,
      /** Looks until nothing more starts, and what answers has answered. */
      async settle() {
        for (let idle = 0; idle < 3; ) {
          const before = asked.length;
          ms += 1000;
          await Promise.all(sendings.map((one) => one.look()));
          await vi.waitFor(() => expect(open().reduce((a, b) => a + b)).toBe(hung.length), { timeout: 20_000 });
          idle = asked.length === before ? idle + 1 : 0;
        }
      },
      /** How many deliveries a wallet's receivers took. */
      served: (wallet: string, kind = "well") => asked.filter((host) => host.startsWith(`${wallet}-${kind}`)).length,
    };
  }

  it("WAL-42 one wallet with 64 hosts that hang delays no other, and not its own that answer", async () => {
    const { database, settle, served, open } = await instances(1);
    await fill(database, { wallet: "hog", hosts: 64, each: 8, hangs: true });
    await fill(database, { wallet: "hog", hosts: 64, each: 4, successes: 0, hangs: true });
    await settle();
    expect(open()[0]).toBeGreaterThanOrEqual(128);
    await fill(database, { wallet: "known", hosts: 3, each: 4 });
    await fill(database, { wallet: "new", hosts: 3, each: 4, successes: 0 });
    await fill(database, { wallet: "hog", hosts: 1, each: 2 });
    await settle();
    expect([served("known"), served("new")]).toEqual([12, 12]);
    // Hosts that hang hold half of the places for hosts that answer, and no more.
    expect(open()[0]).toBeLessThanOrEqual(2 * 72);
  });

  it("WAL-42 each host that hangs takes one place before any takes a second, so all of a wallet's have a turn", async () => {
    const { database, settle, served } = await instances(1);
    await fill(database, { wallet: "hog", hosts: 48, each: 8, hangs: true });
    await fill(database, { wallet: "hog", hosts: 1, each: 8 });
    await settle();
    expect(served("hog")).toBe(8);
  });

  it("WAL-42 hosts that answered lately have half of the places, whoever takes the others", async () => {
    const { database, settle, served, open } = await instances(1);
    for (let i = 0; i < 9; i++)
      await fill(database, { wallet: `hog${i}`, hosts: 16, each: 2, successes: 0, hangs: true });
    await settle();
    expect(open()[0]).toBeLessThanOrEqual(128);
    await fill(database, { wallet: "known", hosts: 20, each: 4 });
    await fill(database, { wallet: "new", hosts: 2, each: 2, successes: 0 });
    await settle();
    expect([served("known"), served("new")]).toEqual([80, 4]);
  });

  it("WAL-42 two instances serve the others, too, and send everything once", async () => {
    const { database, settle, served, open } = await instances(2);
    await fill(database, { wallet: "hog", hosts: 100, each: 8, hangs: true });
    await settle();
    await fill(database, { wallet: "known", hosts: 20, each: 8 });
    await fill(database, { wallet: "new", hosts: 20, each: 3, successes: 0 });
    await settle();
    expect([served("known"), served("new")]).toEqual([160, 60]);
    for (const places of open()) expect(places).toBeLessThanOrEqual(72);
  });
});
