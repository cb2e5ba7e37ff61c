/** Taking deliveries costs as much behind a long backlog as without, and a backlog hides nobody. */
import { afterAll, expect, it } from "vitest";
import { createResources } from "../../src/lib/resources.js";
import type { Database } from "../../src/state/database/database.js";
import { openWallets } from "../../src/state/database/open.js";
import { claim, receiversDue } from "../../src/state/webhooks/claim.js";
import { onBothEngines } from "../support/wallets-engine.js";

const NOW = new Date("2027-01-01T00:00:00Z");
const PATIENT = { limit: 32, busyOrigins: [], busyWallets: [], onUnreadable: () => {} };

/** So many receivers of a wallet, each with so many deliveries that are due. */
async function fill(
  database: Database,
  { name, failures = 0, receivers, each }: { name: string; failures?: number; receivers: number; each: number },
) {
  const callbacks = `select $1 || lpad(r::text, 4, '0') as id, r from generate_series(1, $2::int) as r`;
  const rows = `select c.id, c.id || '-' || lpad(n::text, 5, '0') as event, n from (${callbacks}) c, generate_series(1, $3::int) as n`;
  await database.query(
    `insert into @callbacks (id, wallet, url, origin, state, failures, successes, created_at)
      select id, $1, 'https://' || id || '.example/', id, 'active', $3::int, 1, now() from (${callbacks}) as c`,
    [name, receivers, failures],
  );
  await database.query(
    `insert into @events (id, wallet, source, number, type, body, created_at, expires_at)
      select event, $1, id, n, 't', '{}', now(), now() from (${rows}) as d`,
    [name, receivers, each],
  );
  await database.query(
    `insert into @deliveries (event, callback, wallet, state, due_at, created_at)
      select event, id, $1, 'pending', $4::timestamptz, $4::timestamptz + n * interval '1 ms' from (${rows}) as d`,
    [name, receivers, each, new Date(NOW.getTime() - 60_000)],
  );
}

/** The most rows that any step of a query's plan came by, when it was run. */
async function mostRows(database: Database, work: (noting: Database) => Promise<unknown>): Promise<number> {
  let most = 0;
  const look = (node: PlanNode) => {
    most = Math.max(most, node["Actual Rows"] * node["Actual Loops"]);
    for (const below of node.Plans ?? []) look(below);
  };
  await work({
    ...database,
    async query(text, values) {
      const { rows } = await database.query(`explain (analyze, format json) ${text}`, values);
      look((rows[0] as { "QUERY PLAN": { Plan: PlanNode }[] })["QUERY PLAN"][0]?.Plan as PlanNode);
      return { rows: [] };
    },
  });
  return most;
}
interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

onBothEngines("deliveries that are due", (engine) => {
  const resources = createResources();
  const open = (schema: string) => openWallets({ wallets: engine.options({ schema }), resources });
  afterAll(() => resources.close());

  it("RES-1 are taken at a cost that does not grow with what waits for one receiver", async () => {
    const database = await open("backlog");
    await fill(database, { name: "hog", failures: 5, receivers: 2, each: 3000 });
    await fill(database, { name: "well", receivers: 2, each: 3000 });
    await database.query("analyze @deliveries");
    const { ids } = await receiversDue(database, NOW, "");
    expect(ids).toEqual(["hog0001", "hog0002", "well0001", "well0002"]);
    expect(await mostRows(database, (noting) => receiversDue(noting, NOW, ""))).toBeLessThanOrEqual(64);
    expect(
      await mostRows(database, (noting) => claim(noting, NOW, { ...PATIENT, receivers: ids })),
    ).toBeLessThanOrEqual(64);
  });

  it("RES-1 are found for every receiver, the oldest of one that fails, four of one that is well", async () => {
    const database = await open("many");
    await fill(database, { name: "hog", failures: 5, receivers: 300, each: 3 });
    await fill(database, { name: "well", receivers: 2, each: 9 });
    const found: string[] = [];
    let after = "";
    do {
      const { ids, next } = await receiversDue(database, NOW, after);
      expect(ids.length).toBeLessThanOrEqual(48);
      found.push(...ids);
      after = next;
    } while (after !== "");
    expect(found.length).toBe(302);
    expect(new Set(found).size).toBe(302);
    const claimed = await claim(database, NOW, { ...PATIENT, receivers: ["hog0001", "hog0002", "well0001"] });
    expect(claimed.map(({ event }) => event).sort()).toEqual([
      ...["hog0001-00001", "hog0002-00001"],
      ...["well0001-00001", "well0001-00002", "well0001-00003", "well0001-00004"],
    ]);
    // What is under way is not taken twice, and holds back what is younger behind a receiver that fails.
    const again = await claim(database, NOW, { ...PATIENT, receivers: ["hog0001", "well0001"] });
    expect(again.map(({ event }) => event).sort()).toEqual([
      ...["well0001-00005", "well0001-00006", "well0001-00007", "well0001-00008"],
    ]);
  });
});
