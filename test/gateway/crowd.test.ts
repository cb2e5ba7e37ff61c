/** Many calls of an origin at once. */
import { describe, expect, it } from "vitest";
import { openGateway, sendJson } from "../support/origin.js";

const ROUTE = { path: "/items", name: "item", price: "0.001" };
const PATH = "/origin/item";
const EVENTS = { accept: "text/event-stream" };

/** An origin that answers when it is told to, and counts who waits. */
function gated() {
  const open: (() => void)[] = [];
  let most = 0;
  const answer = async (_: unknown, response: import("node:http").ServerResponse) => {
    await new Promise<void>((resolve) => {
      open.push(resolve);
      most = Math.max(most, open.length);
    });
    sendJson(response, { ok: true });
  };
  const next = async (): Promise<void> => {
    await expect.poll(() => open.length).toBeGreaterThan(0);
    open.shift()?.();
  };
  return { answer, next, open, most: () => most };
}

describe("GW-7 an origin", () => {
  it.each([
    ["whole", {}],
    ["in parts", { stream: true }],
  ])("is asked so many times at once as its host allows, and all are answered: %s", async (_, more) => {
    const { answer, next, most } = gated();
    const { shop } = await openGateway({ concurrency: 2, routes: [{ ...ROUTE, ...more }] }, { payment: false, answer });
    const headers = "stream" in more ? EVENTS : {};
    const texts = Array.from({ length: 5 }, async () => (await shop.get(PATH, headers)).text());
    for (let i = 0; i < 5; i++) await next();
    for (const text of await Promise.all(texts)) expect(text).toContain('"ok":true');
    expect(most()).toBe(2);
  });

  it("gives the place of a reader who leaves a stream to the next", async () => {
    const { origin, shop } = await openGateway(
      { concurrency: 1, routes: [{ ...ROUTE, stream: true }] },
      { payment: false },
    );
    origin.answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    };
    const leaving = new AbortController();
    const asked = shop.handle(new Request(`http://shop.test/api${PATH}`, { headers: EVENTS, signal: leaving.signal }));
    const reader = (await asked).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    leaving.abort();
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect(await (await shop.get(PATH, EVENTS)).text()).toContain('"ok":true');
  });

  it("is not asked for a call whose time is up while it waits, and the same payment buys it later", async () => {
    const { answer, next, open } = gated();
    const order = { ...ROUTE, method: "POST" as const, path: "/orders", name: "order", timeoutMs: 300 };
    const { origin, shop } = await openGateway(
      { concurrency: 1, routes: [ROUTE, order] },
      { answer, trial: false, accounts: { identify: () => ({ id: "ada" }) } },
    );
    await shop.handle.accounts.topUp("ada", "1", { reference: "first" });
    const buy = () =>
      shop.handle(
        new Request("http://shop.test/api/origin/order", {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": "purchase-number-one" },
          body: "{}",
        }),
      );
    const first = shop.get(PATH);
    await expect.poll(() => open.length).toBe(1);
    expect((await buy()).status).toBe(502);
    await next();
    expect((await first).status).toBe(200);
    origin.answer = (_, response) => sendJson(response, { ok: true });
    expect([(await buy()).status, origin.asked.length]).toEqual([200, 2]);
  });
});
