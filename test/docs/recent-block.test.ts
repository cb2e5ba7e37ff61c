/** The recent block that the pages of a shop ask their own service for, to sign on Solana. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openHost } from "../support/docs-page.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { addressOf, feePayer, SOLANA, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, treasury } from "../support/solana.js";
import { TREASURY } from "../support/wallets.js";

const NODE = "https://node.test";
const BLOCKHASH = addressOf(feePayer);
/** What the node was asked. */
const asked: string[] = [];
let program: string;
let hasAccount: boolean;
let node: "answers" | "is down" | "hangs" | "talks nonsense";

const fetchStub = (async (input: string | URL | Request, init?: RequestInit) => {
  const url = String(input instanceof Request ? input.url : input);
  if (!url.startsWith(NODE)) return Response.json({ kinds: [] });
  const { method } = JSON.parse(String(init?.body));
  asked.push(method);
  if (node === "is down") throw new TypeError("fetch failed");
  if (node === "hangs") return new Promise((_, reject) => init?.signal?.addEventListener("abort", reject));
  const account = hasAccount ? { owner: program } : null;
  if (method === "getMultipleAccounts")
    return Response.json({ result: { value: [{ owner: program }, account, account] } });
  const blockhash = node === "talks nonsense" ? "no hash" : BLOCKHASH;
  return Response.json({ result: { value: { blockhash, lastValidBlockHeight: 1234 } } });
}) as typeof fetch;

const payment = {
  treasury: { [SOLANA]: addressOf(treasury) },
  facilitator: { url: FACILITATOR_URL },
  feePayers: { [SOLANA]: addressOf(feePayer) },
  rpc: { [SOLANA]: NODE },
};
const hostWith = (more: object = {}, options: object = {}) =>
  openHost({ payment: { ...payment, ...more }, fetch: fetchStub, ...options });

const ask = (handle: ReturnType<typeof openHost>, network = SOLANA, init: RequestInit = {}) =>
  handle(new Request(`https://api.acme.example/api/docs/recent-block.json?network=${network}`, init));
const blocksAsked = () => asked.filter((method) => method === "getLatestBlockhash").length;

beforeEach(() => {
  program = TOKEN_PROGRAM;
  hasAccount = true;
  node = "answers";
});

/** Hosts look at their treasury's account at the start. */
async function started(more: object = {}) {
  const handle = hostWith(more);
  await vi.waitFor(() => expect(asked).toContain("getMultipleAccounts"));
  asked.length = 0;
  return handle;
}

describe("a page that pays on Solana", () => {
  test("is told a recent block by its own service, and the token's program", async () => {
    program = TOKEN_2022_PROGRAM;
    const response = await ask(await started(), SOLANA, { headers: { "sec-fetch-site": "same-origin" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      recentBlockhash: BLOCKHASH,
      lastValidBlockHeight: "1234",
      tokenProgram: TOKEN_2022_PROGRAM,
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    // Unlike documents, no script of another page reads it.
    expect(response.headers.get("access-control-allow-origin")).toBe("https://api.acme.example");
  });

  test("may ask in a flood: the node hears one question in two seconds, while it answers, is down or hangs", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      for (const state of ["answers", "is down", "hangs", "talks nonsense"] as const) {
        node = "answers";
        const handle = await started();
        node = state;
        await Promise.all([...Array(500)].map(() => ask(handle)));
        expect(blocksAsked(), state).toBe(1);
        vi.advanceTimersByTime(1900);
        await ask(handle);
        expect(blocksAsked(), state).toBe(1);
        vi.advanceTimersByTime(200);
        await ask(handle);
        expect(blocksAsked(), state).toBe(2);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("hears in words that the node is down, and gets a block when it is back", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const handle = await started();
      for (const state of ["is down", "talks nonsense"] as const) {
        node = state;
        expect(await (await ask(handle)).json()).toMatchObject({
          status: 502,
          code: "UPSTREAM_ERROR",
          detail: "The service's Solana node tells no recent block.",
        });
        vi.advanceTimersByTime(2100);
      }
      node = "answers";
      expect((await ask(handle)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test("hears that the treasury has no account for the token, until it has one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      hasAccount = false;
      const handle = await started();
      expect(await (await ask(handle)).json()).toMatchObject({
        status: 404,
        detail: expect.stringContaining("no account for this token yet"),
      });
      hasAccount = true;
      vi.advanceTimersByTime(2100);
      expect((await ask(handle)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each(["cross-site", "same-site"])("of a %s origin is refused, and the node is not asked", async (site) => {
    const handle = await started();
    const response = await ask(handle, SOLANA, { headers: { "sec-fetch-site": site } });
    expect([response.status, blocksAsked()]).toEqual([403, 0]);
    expect(await response.json()).toMatchObject({ code: "NOT_ALLOWED" });
  });
});

describe("a service without a Solana node", () => {
  test("says so to its page and in its page's settings", async () => {
    const handle = hostWith({ rpc: false });
    expect(await (await ask(handle)).json()).toMatchObject({ status: 502, code: "PROVIDER_NOT_CONFIGURED" });
    const page = await (await handle(new Request("https://api.acme.example/"))).text();
    expect(page).toContain('"recentBlocks":[]');
    const able = await (await hostWith()(new Request("https://api.acme.example/"))).text();
    expect(able).toContain(`"recentBlocks":["${SOLANA}"]`);
  });

  test("knows no block of a network that it is not paid on", async () => {
    const handle = await started();
    for (const network of ["", "solana", NETWORK, "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "__proto__"])
      expect((await ask(handle, network)).status, network).toBe(404);
    expect(blocksAsked()).toBe(0);
  });

  test("has neither the address nor the script if it is not paid on Solana, or has no page", async () => {
    const evm = openHost({
      payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
    });
    for (const handle of [evm, hostWith({}, { docs: false })])
      for (const path of ["recent-block.json", "solana.js"])
        expect((await handle(new Request(`https://api.acme.example/api/docs/${path}`))).status, path).toBe(404);
  });
});
