/** What operations ask of the database: counted in statements, each of which is a way there and back. */
import { expect, it } from "vitest";
import { scheduleCreate } from "../../src/capabilities/schedule/index.js";
import { createResources } from "../../src/lib/resources.js";
import type { Database, Queryable } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { fireDue } from "../../src/state/schedules/fire.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** A database that notes what it is asked; begin and commit count, too. */
function noted(database: Database) {
  const asked: string[] = [];
  const note = (db: Queryable): Queryable => ({
    seal: db.seal,
    query(text, values) {
      asked.push(text);
      return db.query(text, values);
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

  it("RES-1 fifty schedules that are due are as many as those of one, and of any wallet", async () => {
    const begun = new Date("2030-01-01T00:00:00Z");
    const create = (wallet: string, clock: Date) =>
      scheduleCreate(
        { callbackUrl: "https://93.184.216.34/", cron: "* * * * *", payload: { of: wallet } },
        { wallet, wallets: engine.options({ schema: "counted" }), clock: () => clock },
      );
    const fired = async (now: Date) => {
      const { noting, asked } = noted(await open());
      const count = await fireDue(noting, now, { onUnreadable: () => {}, maxBytes: 1e9 });
      return { count, asked: asked.length };
    };
    await create("one", begun);
    const one = await fired(new Date("2030-01-03T00:00:30Z"));
    expect(one).toEqual({ count: 1, asked: 9 });
    for (let i = 0; i < 49; i++) await create(`many-${i % 7}`, begun);
    expect(await fired(new Date("2030-01-05T00:00:30Z"))).toEqual({ count: 50, asked: one.asked });
    const { rows } = await (await open()).query("select from @deliveries where state = 'pending'");
    expect(rows.length).toBe(51);
  });
});
