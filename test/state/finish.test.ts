/** Attempts that ended together: each counts under its own lease, and no other. */
import { afterEach, expect, it } from "vitest";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { finishAll } from "../../src/state/webhooks/deliveries.js";
import { onBothEngines } from "../support/wallets-engine.js";

const NOW = new Date("2027-01-01T00:00:00Z");

onBothEngines("attempts that ended together", (engine) => {
  const resources = createResources();
  afterEach(() => resources.close());

  it("WAL-47 count under the newest lease alone, in one statement where their receivers are well", async () => {
    const database = await openWallets({ wallets: engine.options({ schema: "finish" }), resources });
    const receivers = ["well", "failing", "late", "gone"];
    for (const id of receivers) {
      await database.query(
        `insert into @callbacks (id, wallet, url, origin, state, failures, successes, created_at)
          values ($1, 'w', 'u', 'o', 'active', $2::int, 1, now())`,
        [id, id === "failing" ? 5 : 0],
      );
      await database.query(
        `insert into @events (id, wallet, source, number, type, body, created_at, expires_at)
          values ('e' || $1::text, 'w', $1, 1, 't', '{}', now(), now())`,
        [id],
      );
      await database.query(
        `insert into @deliveries (event, callback, wallet, state, due_at, lease, created_at, attempts)
          values ('e' || $1::text, $1, 'w', 'pending', now(), $2, now(), 1)`,
        [id, id === "late" ? "another's" : "ours"],
      );
    }
    const asked: string[] = [];
    const watched = {
      ...database,
      query: (text: string, values?: unknown[]) => {
        asked.push(text);
        return database.query(text, values);
      },
    };
    const attempt = (callback: string, status: number) => ({
      holder: { event: `e${callback}`, callback, wallet: "w", attempts: 1, lease: "ours" },
      outcome: { outcome: "answered" as const, status },
    });
    const ended = receivers.map((id) => attempt(id, id === "gone" ? 410 : 204));
    await finishAll(watched, ended, { now: NOW, random: () => 0.5 });
    expect(asked.length).toBe(1);
    const { rows } = await database.query(
      `select d.callback, d.state, jsonb_array_length(d.log) as noted, c.state as receiver, c.failures, c.successes
        from @deliveries d join @callbacks c on c.id = d.callback order by d.callback`,
    );
    expect(rows).toEqual([
      { callback: "failing", state: "delivered", noted: 1, receiver: "active", failures: 0, successes: 2 },
      { callback: "gone", state: "dead", noted: 1, receiver: "disabled", failures: 1, successes: 1 },
      { callback: "late", state: "pending", noted: 0, receiver: "active", failures: 0, successes: 1 },
      { callback: "well", state: "delivered", noted: 1, receiver: "active", failures: 0, successes: 2 },
    ]);
  });
});
