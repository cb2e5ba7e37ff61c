/** What operations ask of the database: counted in statements, each of which is a round trip. */
import { expect, it } from "vitest";
import { scheduleCreate } from "../../src/capabilities/schedule/index.js";
import { createResources } from "../../src/lib/resources.js";
import type { Database, Transaction } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { putSamples, type SampleKind } from "../../src/state/samples.js";
import { runDueSchedules } from "../../src/state/schedules/run-due.js";
import { withSamples } from "../../src/state/wallet/sample.js";
import { claim, receiversDue } from "../../src/state/webhooks/claim.js";
import { paced, type WebhookSender } from "../../src/state/webhooks/send.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** A database that notes what it is asked; begin and commit count, too. */
function noted(database: Database) {
  const asked: string[] = [];
  const note = (tx: Transaction): Transaction => ({
    encryption: tx.encryption,
    query(text, values) {
      asked.push(text);
      return tx.query(text, values);
    },
    send(text, values) {
      asked.push(text);
      tx.send(text, values);
    },
  });
  const noting: Database = {
    ...database,
    query(text, values, limits) {
      asked.push(text);
      return database.query(text, values, limits);
    },
    async transaction(work, limits) {
      asked.push("begin");
      const result = await database.transaction((tx) => work(note(tx)), limits);
      asked.push("commit");
      return result;
    },
  };
  return { noting, asked };
}

onBothEngines("statements of", (engine) => {
  const resources = createResources();
  const open = () => openWallets({ wallets: engine.options({ schema: "counted" }), resources });

  it("RES-1 twenty schedules that are due are as many as those of one, and of any wallet", async () => {
    const begun = new Date("2030-01-01T00:00:00Z");
    const create = (wallet: string, clock: Date) =>
      scheduleCreate(
        { callbackUrl: "https://93.184.216.34/", cron: "* * * * *", payload: { of: wallet } },
        { wallet, wallets: engine.options({ schema: "counted" }), clock: () => clock },
      );
    const fired = async (now: Date) => {
      const { noting, asked } = noted(await open());
      const { count } = await runDueSchedules(noting, now, { onUnreadable: () => {}, maxBytes: 1e9 });
      return { count, asked: asked.length };
    };
    await create("one", begun);
    const one = await fired(new Date("2030-01-03T00:00:30Z"));
    expect(one).toEqual({ count: 1, asked: 9 });
    for (let i = 0; i < 19; i++) await create(`many-${i % 7}`, begun);
    expect(await fired(new Date("2030-01-05T00:00:30Z"))).toEqual({ count: 20, asked: one.asked });
    const { rows } = await (await open()).query("select from @deliveries where state = 'pending'");
    expect(rows.length).toBe(21);
  });

  it("RES-1 what is due to a destination whose minute is over is counted twice, and not taken until the next", async () => {
    const begun = new Date("2031-01-01T00:00:00Z");
    const host = { wallets: engine.options({ schema: "paced" }), clock: () => begun };
    for (let i = 0; i < 12; i++)
      await scheduleCreate({ callbackUrl: "https://93.184.216.34/", cron: "* * * * *" }, { ...host, wallet: "paced" });
    const database = await openWallets({ wallets: host.wallets, resources });
    const now = new Date("2031-01-01T00:01:30Z");
    await runDueSchedules(database, now, { onUnreadable: () => {}, maxBytes: 1e9 });
    const counted: number[] = [];
    const mayStart = async (_name: string, _max: number, by = 1) => {
      counted.push(by);
      return false;
    };
    const take = async (at: Date) => {
      const { ids: receivers } = await receiversDue(database, at, "");
      return claim(database, at, { limit: 32, receivers, busyOrigins: [], busyWallets: [], onUnreadable: () => {} });
    };
    const taken = await take(now);
    expect(taken).toHaveLength(4);
    const sender = { database, mayStart } as unknown as WebhookSender;
    expect(await paced(sender, taken, now)).toEqual([]);
    expect(counted).toEqual([4, 1]);
    expect((await receiversDue(database, new Date("2031-01-01T00:01:59Z"), "")).ids).toEqual([]);
    const again = await take(new Date("2031-01-01T00:02:00Z"));
    expect(again.map(({ event }) => event)).toEqual(taken.map(({ event }) => event));
    expect(again.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });

  it("RES-1 a trial writes samples of what it looks at, once, and of nothing else", async () => {
    const { noting, asked } = noted(await open());
    const tried = noting.transaction(async (tx) => {
      const now = new Date();
      const wallet = "trial:statements";
      await tx.query("insert into @wallets (wallet, created_at, seen_at) values ($1, now(), now())", [wallet]);
      const view = { wallet, now, vectors: true, maxBytes: 1e9, encryption: tx.encryption };
      const scope = withSamples({ ...view, query: (text, values) => tx.query(text, values), grow: () => {} });
      asked.length = 0;
      const found = async (table: string, kind: SampleKind) => {
        await putSamples(scope, [kind]);
        return (await scope.query(`select from @${table} where wallet = $1`, [wallet])).rows.length;
      };
      expect(await Promise.all([found("docs", "docs"), found("docs", "docs")])).toEqual([3, 3]);
      expect(asked).toHaveLength(3 + 2);
      expect(asked.every((text) => text.includes("@docs"))).toBe(true);
      const others = [
        await found("kv", "kv"),
        await found("messages", "queue"),
        await found("deliveries", "callbacks"),
      ];
      expect(others).toEqual([3, 4, 2]);
      throw new Error("rolled back");
    });
    await expect(tried).rejects.toThrow("rolled back");
  });
});
