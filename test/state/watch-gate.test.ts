/** Stops, budgets, policy and limits of keys hold for watchers: when one is armed, and at each of its polls. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { PolicyRequest } from "../../src/payment/admission/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { WATCHING } from "../support/watch-host.js";

const DAY = 24 * 3600;
const KEY = "KEY_OF_SOURCE";

onBothEngines("the gate of watchers", (engine) => {
  const clock = fakeClock();
  let asked = 0;
  let refuses: ((request: PolicyRequest) => boolean) | undefined;
  const requests: PolicyRequest[] = [];
  const figure = defineCapability({
    id: "test.figure",
    summary: "A figure of a source that costs.",
    price: "0.001",
    requires: [KEY],
    source: { provider: "test", url: "", license: "none" },
    input: () => z.strictObject({}),
    output: one(z.object({ value: z.int() })),
    example: {},
    run: () => ({ item: { value: ++asked } }),
  });
  let shop: WalletShop;
  let to: Receiver;
  const tick = async (seconds: number) => {
    clock.advance(seconds);
    await shop.handle.tick({ budgetMs: 60_000 });
  };
  const watch = () => ({
    ...{ endpoint: "test.figure", conditionType: "changed", path: "/items/0/value", everySeconds: 600 },
    ...{ callbackUrl: to.url, expiresInSeconds: DAY },
  });
  const payload = async (answer: Response | Promise<Response>) => {
    const { data, code, reasonCode } = (await (await answer).json()) as Record<string, unknown>;
    return {
      status: (await answer).status,
      code,
      reasonCode,
      item: (data as { items: object[] } | undefined)?.items[0],
    };
  };
  const armed = async (answer: Promise<Response>) => (await payload(answer)).item as { watcherId: string };
  const status = async (watcherId: string, wallet: string) => {
    const found = (await shop.handle.call("watchers.status" as never, { watcherId } as never, { wallet })) as {
      items: { status: string; lastError: string | null; failures: number; firesUsed: number }[];
    };
    return found.items[0];
  };
  const ALICE = `eip155:8453:${alice.address.toLowerCase()}`;

  const facilitator = fakeFacilitator();
  const isReceiver = (input: unknown) => String(input).startsWith("http://127.0.0.1:");

  beforeAll(() => {
    facilitator.setClock(() => Math.floor(clock().getTime() / 1000));
    shop = openWalletShop({
      ...{ capabilities: [...WATCHING, figure], clock, trial: false, accounts: { keys: true } },
      wallets: engine.options({ runner: false, httpCallbacks: true }),
      outbound: { allowPrivate: true },
      facilitator,
      fetch: (input, init) => (isReceiver(input) ? globalThis.fetch(input, init) : facilitator.fetch(input, init)),
      store: createMemoryStore({ clock }),
      secrets: { [KEY]: "k" },
      budgets: { [KEY]: { usdPerDay: "0.02" } },
      policy: (request) => {
        requests.push(request);
        return refuses?.(request) ? { allow: false, code: "NOT_HERE", reason: "Not here." } : { allow: true };
      },
    });
  });
  afterAll(() => shop.handle.close());
  beforeEach(async () => {
    refuses = undefined;
    await tick(100 * DAY);
    to = await openReceiver();
    asked = 0;
    requests.length = 0;
  });
  afterEach(() => to.close());

  it("ATK-16 a stopped endpoint is neither armed nor polled, and goes on when it is resumed, with its polls", async () => {
    const { watcherId } = await armed(shop.buy("watchers.arm", watch()));
    await tick(600);
    expect([asked, to.calls.length]).toEqual([2, 1]);
    await shop.handle.stop("test.figure" as never, "The source moves.");
    expect(await payload(shop.post("watchers.arm", watch()))).toMatchObject({ status: 503, code: "STOPPED" });
    for (let i = 0; i < 12; i++) await tick(600);
    expect(asked).toBe(2);
    expect(await status(watcherId, ALICE)).toMatchObject({ status: "armed", failures: 0, firesUsed: 1 });
    expect((await status(watcherId, ALICE))?.lastError).toContain("STOPPED");
    await shop.handle.resume("test.figure" as never);
    await tick(600);
    expect(asked).toBe(3);
    expect(await status(watcherId, ALICE)).toMatchObject({ lastError: null, firesUsed: 2 });
  });

  it("ATK-16 polls are counted in the budget of their source, and end with it", async () => {
    await armed(shop.buy("watchers.arm", watch()));
    for (let i = 0; i < 40; i++) await tick(600);
    expect(asked).toBeGreaterThan(15);
    expect(asked).toBeLessThanOrEqual(20);
    expect(await payload(shop.post("watchers.arm", watch()))).toMatchObject({ status: 503, code: "BUDGET_SPENT" });
    const before = asked;
    await tick(DAY / 2 + 600);
    expect(asked).toBe(before + 1);
  });

  it("ATK-16 the policy is asked for the endpoint that is watched, when it is armed and at each poll", async () => {
    refuses = ({ endpoint }) => endpoint === "test.figure";
    const refused = await payload(shop.buy("watchers.arm", watch()));
    expect(refused).toMatchObject({ status: 403, code: "NOT_ALLOWED", reasonCode: "NOT_HERE" });
    expect(asked).toBe(0);
    refuses = undefined;
    const { watcherId } = await armed(shop.buy("watchers.arm", watch()));
    requests.length = 0;
    await tick(600);
    expect(requests).toMatchObject([
      { endpoint: "test.figure", via: "watch", payer: alice.address, network: "eip155:8453", priceUsd: "0.001" },
    ]);
    refuses = ({ via, payer }) => via === "watch" && payer === alice.address;
    for (let i = 0; i < 3; i++) await tick(600);
    expect([asked, (await status(watcherId, ALICE))?.failures]).toEqual([2, 0]);
    expect((await status(watcherId, ALICE))?.lastError).toContain("NOT_ALLOWED");
    refuses = undefined;
    await tick(600);
    expect(asked).toBe(3);
  });

  it("ATK-16 the policy's no to one wallet is none for another with the same question", async () => {
    const { accounts } = shop.handle;
    await accounts.topUp("ada", "10", { reference: "first" });
    const { key } = await accounts.createKey("ada");
    await armed(shop.post("watchers.arm", watch(), { authorization: `Bearer ${key}` }));
    const { watcherId } = await armed(shop.buy("watchers.arm", watch()));
    refuses = ({ account }) => account === "ada";
    const before = asked;
    await tick(600);
    expect([asked, to.calls.length]).toEqual([before + 1, 1]);
    expect(await status(watcherId, ALICE)).toMatchObject({ firesUsed: 1, lastError: null });
  });

  it("ATK-16 a key arms only what it may call, and its watchers end with it and with its limits", async () => {
    const { accounts } = shop.handle;
    await accounts.topUp("bob", "10", { reference: "first" });
    const narrow = await accounts.createKey("bob", { limits: { endpoints: ["watchers.arm"] } });
    const by = (key: string) => ({ authorization: `Bearer ${key}` });
    const refused = await shop.post("watchers.arm", watch(), by(narrow.key));
    expect([refused.status, asked]).toEqual([402, 0]);
    expect(await refused.text()).toContain("test.figure");

    const own = await accounts.createKey("bob");
    const { watcherId } = await armed(shop.post("watchers.arm", watch(), by(own.key)));
    await tick(600);
    expect(asked).toBe(2);
    // Another key of the same account changes nothing, and a rotated one goes on.
    await accounts.revokeKey(narrow.id);
    const next = await accounts.rotateKey(own.id);
    await tick(600);
    expect(asked).toBe(3);
    await accounts.setLimits("bob", { endpoints: ["watchers.arm"] });
    await tick(600);
    expect(asked).toBe(3);
    expect((await status(watcherId, "acct:bob"))?.lastError).toContain("may not call test.figure");
    await accounts.setLimits("bob", {});
    await tick(600);
    expect(asked).toBe(4);
    await accounts.freeze("bob", { reason: "A payment is disputed." });
    await tick(600);
    expect(asked).toBe(4);
    expect((await status(watcherId, "acct:bob"))?.lastError).toContain("The account is frozen: A payment is disputed.");
    await accounts.unfreeze("bob");
    await tick(600);
    expect(asked).toBe(5);
    await accounts.revokeKey(next.id);
    for (let i = 0; i < 3; i++) await tick(600);
    expect(asked).toBe(5);
    expect((await status(watcherId, "acct:bob"))?.lastError).toContain("INVALID_KEY");
  });
});
