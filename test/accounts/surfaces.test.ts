import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/index.js";
import { silent } from "../../src/lib/logger.js";
import type { AccountsOptions } from "../../src/payment/accounts/options.js";
import { bodyOf } from "../support/body.js";
import { openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";

function open(accounts: AccountsOptions = { keys: true }, options: ShopOptions = {}) {
  const shop = openShop({ trial: false, ...options, accounts });
  const fetch: typeof globalThis.fetch = (input, init) => shop.handle(new Request(input, init));
  return { ...shop, accounts: shop.handle.accounts, fetch };
}

describe("an account pays", () => {
  it("for a client with its key, within the client's own limits", async () => {
    const { accounts, fetch } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const { key } = await accounts.createKey("ada");
    const client = createClient({ baseUrl: "http://shop.test", fetch, apiKey: key, maxTotalUsd: "0.0015" });
    const answer = await client.$call("test.work" as never, { n: 1 } as never);
    expect(answer.meta).toMatchObject({ caller: "account", account: "ada", costUsd: "0.001" });
    expect(client.$spending()).toEqual({ spentUsd: "0.001", heldUsd: "0" });
    await expect(client.$call("test.work" as never, { n: 2 } as never)).rejects.toMatchObject({
      code: "SPENDING_LIMIT",
    });
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.999", heldUsd: "0" });
  });

  it("over MCP, by the key of the connection, before a trial that nobody asked for", async () => {
    const { handle, accounts } = open({ keys: true }, { trial: {} });
    await accounts.topUp("ada", "1", { reference: "r" });
    const { key } = await accounts.createKey("ada");
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "call_capability", arguments: { id: "test.work", input: { n: 1 } } },
    };
    const asked = (authorization: string) =>
      handle(
        new Request("http://shop.test/api/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream", authorization },
          body: JSON.stringify(message),
        }),
      );
    const answer = (await (await asked(`Bearer ${key}`)).json()) as { result: { structuredContent: object } };
    expect(answer.result.structuredContent).toMatchObject({ meta: { caller: "account", account: "ada" } });
    const refused = (await (await asked("Bearer svc_no")).json()) as { result: { content: { text: string }[] } };
    expect(refused.result.content[0]?.text).toContain("INVALID_KEY");
  });

  it("for whom the host's own login names, whose request has no body to read", async () => {
    const seen: (string | null)[] = [];
    const { get, accounts, handle } = open({
      async identify(request) {
        seen.push(await request.text());
        const user = request.headers.get("cookie")?.slice("user=".length);
        return user ? { id: user } : undefined;
      },
    });
    await accounts.topUp("ada", "1", { reference: "r" });
    const answer = await get(WORK, { cookie: "user=ada" });
    expect((await bodyOf(answer)).meta).toMatchObject({ caller: "account", account: "ada" });
    expect((await get(WORK)).status).toBe(402);
    expect((await get(WORK, { cookie: "user=ada", "sec-fetch-site": "cross-site" })).status).toBe(402);
    expect(seen).toEqual(["", ""]);
    expect(handle.openapi().paths["/api/test/work"]?.get?.security).toEqual([]);
  });

  it("ACC-17 only if its host's login answers: one that hangs ends the call without a charge", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { get, runs } = open({ identify: () => new Promise(() => {}) }, { logger: silent });
      let status: number | undefined;
      void get(WORK).then((answer) => {
        status = answer.status;
      });
      for (let seconds = 0; status === undefined && seconds < 60; seconds++) await vi.advanceTimersByTimeAsync(1000);
      expect([status, runs()]).toEqual([500, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("as OpenAPI says", () => {
    const { handle } = open();
    const { paths, components } = handle.openapi();
    expect(paths["/api/test/work"]?.get?.security).toEqual([{ account: [] }, {}]);
    expect(paths["/api/test/work"]?.get?.responses).toMatchObject({ "401": {}, "402": {} });
    expect(components).toMatchObject({ securitySchemes: { account: { type: "http", scheme: "bearer" } } });
    expect(openShop().handle.openapi().paths["/api/test/work"]?.get?.responses).not.toHaveProperty("401");
  });
});
