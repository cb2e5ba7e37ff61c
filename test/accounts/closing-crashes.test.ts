/** A closing that dies anywhere gives back once, and ends. */
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { customersShop } from "../support/own-account.js";

it("CLO-4 gives back once and closes, whatever operation of the store its process dies at", async () => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const clock = fakeClock();
    const facilitator = fakeFacilitator();
    const living = createMemoryStore({ clock });
    facilitator.showChain();
    const next = customersShop({ store: living, clock, facilitator });
    const { key } = await next.buy("5");
    const { store, failed } = fated(living, { left, done: true, forGood: true });
    const dying = customersShop({ store, clock, facilitator });
    const ended = await Promise.race([failed, dying.by(key)("POST", "/account/close", {})]);
    for (let i = 0; i < 90; i++) {
      clock.advance(15);
      await next.handle.reconcile();
    }
    const { session } = await next.signIn();
    await next.by(session)("POST", "/account/close", {});
    const { creditedUsd, earnedUsd } = (await next.handle.ledger()).total;
    expect([creditedUsd, earnedUsd, (await next.accounts.list())[0]?.closed === undefined], `${left}`).toEqual([
      "5",
      "0",
      false,
    ]);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(10);
});

it("CLO-5 forfeits nothing of a balance whose purchase another instance has not booked yet", async () => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const clock = fakeClock();
    const facilitator = fakeFacilitator();
    const living = createMemoryStore({ clock });
    facilitator.showChain();
    const next = customersShop({ store: living, clock, facilitator });
    await next.buy("1");
    const { session } = await next.signIn();
    const { store, failed } = fated(living, { left, done: true, forGood: true });
    const ended = await Promise.race([failed, customersShop({ store, clock, facilitator }).buy("5")]);
    const { status } = await next.by(session)("POST", "/account/close", {});
    expect([200, 429], `${left}: ${ended}`).toContain(status);
    for (let i = 0; i < 90; i++) {
      clock.advance(15);
      await next.handle.reconcile();
    }
    // Paid for in the end, it is a balance of the account that is opened anew.
    await next.by((await next.signIn()).session)("POST", "/account/close", {});
    const { settledUsd, creditedUsd, earnedUsd } = (await next.handle.ledger()).total;
    expect([creditedUsd, earnedUsd], `${left}: ${ended}`).toEqual([settledUsd, "0"]);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(10);
});
