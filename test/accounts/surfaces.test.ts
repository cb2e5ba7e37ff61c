import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createClient } from "../../src/client/index.js";
import { silent } from "../../src/lib/logger.js";
import type { AccountsOptions } from "../../src/payment/options/accounts.js";
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

  const COOKIE = { cookie: "user=ada" };
  const JSON_TYPE = { "content-type": "application/json" };
  const OWN = "http://shop.test";
  const FOREIGN = "https://evil.example";

  const post = defineCapability({
    id: "test.post",
    method: "POST",
    summary: "Answers a POST.",
    price: "0.001",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({ n: z.int() })),
    example: { n: 1 },
    run: async ({ n }) => ({ item: { n } }),
  });

  async function signedIn(accounts: AccountsOptions = {}, options: ShopOptions = {}) {
    const identify: AccountsOptions["identify"] = ({ headers }) =>
      headers.has("cookie") || headers.get("authorization")?.startsWith("Basic") ? { id: "ada" } : undefined;
    const shop = open({ identify, ...accounts }, options);
    await shop.accounts.topUp("ada", "1", { reference: "r" });
    return shop;
  }

  const forged: [string, Record<string, string>, ("GET" | "POST")?][] = [
    ["a page of another site", { "sec-fetch-site": "cross-site" }],
    ["a page of a subdomain", { "sec-fetch-site": "same-site", origin: "http://user.shop.test" }],
    ["a page of a subdomain in an older browser", { origin: "http://user.shop.test" }],
    ["a foreign Origin without Sec-Fetch-Site", { origin: FOREIGN }],
    ["an Origin that hides", { origin: "null" }],
    ["another port of the same host", { origin: "http://shop.test:8080" }],
    ["a page without encryption of a host that has it", { origin: "http://safe.test", host: "safe.test" }],
    ["a foreign Referer", { referer: `${FOREIGN}/page` }],
    ["a Referer that is no address", { referer: "about:blank" }],
    ["a foreign Referer beside a claim to be ours", { "sec-fetch-site": "same-origin", referer: `${FOREIGN}/page` }],
    ["a picture", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }],
    ["a picture whose page hides", { accept: "image/avif,image/webp,*/*;q=0.8" }],
    ["a script's tag", { "sec-fetch-mode": "no-cors" }],
    ["a form that sends text", { "content-type": "text/plain" }, "POST"],
    ["a form", { "content-type": "application/x-www-form-urlencoded;charset=UTF-8", origin: FOREIGN }, "POST"],
    ["a form with files", { "content-type": "multipart/form-data; boundary=x" }, "POST"],
    ["ambient Basic credentials", { authorization: "Basic YWRhOng=", "sec-fetch-site": "cross-site" }],
    ["ambient Basic credentials that name a Bearer", { authorization: "Basic Bearer", origin: FOREIGN }],
  ];
  it.each(forged)("never for a request that its user did not mean: %s", async (_, headers, method = "GET") => {
    const { accounts, handle, runs } = await signedIn({}, method === "POST" ? { capabilities: [post] } : {});
    const url = `${headers.host ? "https://safe.test" : OWN}/api${method === "GET" ? WORK : "/test/post"}`;
    const body = method === "POST" ? JSON.stringify({ n: 1 }) : null;
    const answer = await handle(new Request(url, { method, headers: { ...COOKIE, ...headers }, body }));
    expect([answer.status, runs()]).toEqual([402, 0]);
    expect((await accounts.balance("ada")).availableUsd).toBe("1");
  });

  const meant: [string, Record<string, string>][] = [
    ["our own page", { "sec-fetch-site": "same-origin", origin: OWN, referer: `${OWN}/page` }],
    ["our own picture", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image", accept: "image/*" }],
    ["an address that was typed", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["our own page in an older browser", { referer: `${OWN}/page`, accept: "image/*" }],
    ["our own page behind a proxy that ends the encryption", { origin: "https://shop.test" }],
    ["a program that sends JSON", JSON_TYPE],
    ["a token that no browser adds", { authorization: "Bearer x", "sec-fetch-site": "cross-site", origin: FOREIGN }],
  ];
  it.each(meant)("for a request that its user meant: %s", async (_, headers) => {
    const { get } = await signedIn();
    expect((await get(WORK, { ...COOKIE, ...headers })).status).toBe(200);
  });

  it("for a POST of its own page, and for one of a program with JSON", async () => {
    const { handle } = await signedIn({}, { capabilities: [post] });
    for (const headers of [{ "content-type": "text/plain", origin: OWN }, JSON_TYPE]) {
      const body = JSON.stringify({ n: 1 });
      const init = { method: "POST", headers: { ...COOKIE, ...headers }, body };
      expect((await handle(new Request(`${OWN}/api/test/post`, init))).status).toBe(200);
    }
  });

  it("for a page of an origin that its host names, and for the public address behind a proxy", async () => {
    const app = "https://app.shop.test";
    const { get } = await signedIn(
      { origins: [app] },
      { brand: { name: "S", slug: "svc", baseUrl: "https://pay.test" } },
    );
    const asked = async (headers: Record<string, string>) => (await get(WORK, { ...COOKIE, ...headers })).status;
    expect(await asked({ "sec-fetch-site": "same-site", origin: app })).toBe(200);
    expect(await asked({ "sec-fetch-site": "same-origin", origin: "https://pay.test" })).toBe(200);
    expect(await asked({ "sec-fetch-site": "same-site", origin: "https://other.shop.test" })).toBe(402);
    expect(await asked({ "sec-fetch-site": "same-site" })).toBe(402);
    expect(() => open({ origins: ["app.shop.test"] })).toThrow(/accounts.origins/);
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
