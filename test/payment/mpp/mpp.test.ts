/** Buyers of the Machine Payments Protocol, with their official client, on a real chain through the official facilitator. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Challenge, Credential, Receipt } from "mppx";
import { Mppx } from "mppx/client";
import { charge } from "mppx/evm/client";
import { McpClient } from "mppx/mcp/client";
import { keccak256, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../../examples/local-chain/chain.js";
import { startFacilitator } from "../../../examples/local-chain/facilitator.js";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { createHandler, type Handler } from "../../../src/handler/handler.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { fakeClock } from "../../support/clock.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { openShop, type Shop } from "../../support/shop.js";
import { quoteOf, sign, TREASURY } from "../../support/wallets.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The last letter of 16 bytes in base64 stands for two bits alone, so that 16 letters mean the same. */
const respelled = (letter: string) => LETTERS.charAt(LETTERS.indexOf(letter) ^ 1);

const UNIT = "http://shop.test/api/convert/unit?value=1&from=kg&to=lb";
let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
let handle: Handler;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ chain });
  handle = createHandler({
    capabilities: [convertUnit, barcodeGenerate, batchRun],
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
    },
  }) as unknown as Handler;
});
afterAll(async () => {
  await handle?.close();
  await facilitator?.stop();
  await chain?.stop();
});

async function buyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.mint(account.address, 1_000_000n);
  const sent: Request[] = [];
  const { extra } = (await quote()).accepts[0] ?? { extra: {} };
  const { fetch } = Mppx.create({
    polyfill: false,
    methods: [charge({ account, authorization: { name: String(extra.name), version: String(extra.version) } })],
    fetch: (input, init) => {
      const request = new Request(input, init);
      sent.push(request.clone());
      return handle(request);
    },
  });
  return { account, fetch, sent, paid: async () => 1_000_000n - (await chain.balanceOf(account.address)) };
}

async function quote() {
  const response = await handle(new Request(UNIT));
  const header = response.headers.get("payment-required") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString()) as { accepts: { extra: Record<string, unknown> }[] };
}

/** Signed for a challenge, whatever that says, for what the endpoint costs. */
async function credentialFor(shop: Shop, challenge: Challenge.Challenge, value = "1000") {
  const [terms] = quoteOf(await shop.get("/test/work?n=1")).accepts;
  if (!terms) throw new Error("nothing offered");
  const nonce = keccak256(toHex(challenge.id + challenge.realm));
  const { payload } = await sign(terms, { now: shop.clock.seconds(), authorization: { nonce, value } });
  const sent = { type: "authorization" as const, ...payload.authorization, signature: payload.signature };
  return { authorization: Credential.serialize({ challenge, payload: sent }) };
}

describe("over MCP", () => {
  it("the official mppx client pays a tool call, and gets the receipt", async () => {
    const { account, paid } = await buyer();
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL("http://shop.test/api/mcp"), {
      fetch: (input, init) => handle(new Request(input, init), { clientAddress: "203.0.113.7" }),
    });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    const { extra } = (await quote()).accepts[0] ?? { extra: {} };
    const authorization = { name: String(extra.name), version: String(extra.version) };
    const paying = McpClient.wrap(client, { methods: [charge({ account, authorization })] });
    const convert = (value: number) =>
      paying.callTool({ name: "convert_unit", arguments: { value, from: "kg", to: "lb" }, _meta: {} });
    // The first is on the house.
    await convert(1);
    const bought = await convert(2);
    expect(bought.structuredContent).toMatchObject({ meta: { caller: "paid", payment: { payer: account.address } } });
    expect(bought.receipt).toMatchObject({ method: "evm", status: "success", reference: expect.stringMatching(/^0x/) });
    expect(await paid()).toBe(1000n);
    await client.close();
  });

  it("refuses credentials that are none with a new challenge", async () => {
    const shop = openShop({ trial: false });
    const call = (credential: unknown) => {
      const params = { name: "test_work", arguments: { n: 1 }, _meta: { "org.paymentauth/credential": credential } };
      return shop.handle(
        new Request("http://shop.test/api/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        }),
      );
    };
    const hostile = [1, "x", [], {}, { challenge: {} }, { challenge: { request: {} } }, { challenge: { request: [] } }];
    for (const credential of [...hostile, { challenge: { request: { a: "\ud800" } }, payload: "\0" }]) {
      const response = await call(credential);
      expect(response.status).toBe(200);
      const { result } = (await response.json()) as { result: { isError: boolean; _meta: Record<string, unknown> } };
      expect(result.isError).toBe(true);
      expect(result._meta["org.paymentauth/payment-required"]).toMatchObject({
        challenges: [{ method: "evm", intent: "charge", request: { amount: "1000" } }],
      });
    }
    expect(shop.runs()).toBe(0);
  });
});

it("PAY-3 a credential that cannot be read gets a 402 with a challenge, also without input", async () => {
  for (const [path, method] of [
    ["convert/unit", "GET"],
    ["barcode/generate", "POST"],
  ]) {
    const headers = { authorization: "Payment dGhpcyBpcyBnYXJiYWdl" };
    const response = await handle(new Request(`http://shop.test/api/${path}`, { method: method ?? "GET", headers }));
    expect(response.status).toBe(402);
    expect(Challenge.fromResponse(response)).toMatchObject({ method: "evm", intent: "charge" });
    expect(quoteOf(response).error).toMatch(/evm\/charge/);
  }
  // What is wrong with an input costs nobody a signature.
  const wrong = await handle(
    new Request("http://shop.test/api/convert/unit?value=x", { headers: { authorization: "Payment e30" } }),
  );
  expect(wrong.status).toBe(400);
});

describe("the official mppx client", () => {
  it("pays a GET, is receipted, and gets the same answer for the same credential", async () => {
    const { fetch, sent, paid } = await buyer();
    const response = await fetch(UNIT);
    expect(response.status).toBe(200);
    expect(await response.clone().json()).toMatchObject({
      data: { ok: true },
      meta: { caller: "paid", costUsd: "0.001" },
    });
    expect(Receipt.fromResponse(response)).toMatchObject({
      method: "evm",
      status: "success",
      reference: expect.stringMatching(/^0x/),
    });
    expect(await paid()).toBe(1000n);
    const presented = sent.at(-1);
    expect(presented?.headers.get("authorization")).toMatch(/^Payment /);
    expect(presented?.headers.has("payment-signature")).toBe(false);
    const again = await handle(presented?.clone() ?? new Request(UNIT));
    expect([again.status, await again.text()]).toEqual([200, await response.text()]);
    expect(await paid()).toBe(1000n);
  });

  it("pays a POST with a binary answer, and a batch", async () => {
    const { fetch, paid } = await buyer();
    const post = (path: string, body: object) =>
      fetch(`http://shop.test/api/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    const code = await post("barcode/generate", { data: { type: "text", text: "hello" }, output: "png" });
    expect([code.status, code.headers.get("content-type")]).toEqual([200, "image/png"]);
    const batch = await post("batch/run", {
      calls: [{ endpoint: "convert.unit", params: { value: 1, from: "kg", to: "lb" } }],
    });
    expect([batch.status, code.headers.has("payment-receipt")]).toEqual([200, true]);
    expect(await paid()).toBe(2000n);
  });
});

describe("a challenge", () => {
  it("stands beside the x402 quote, reads as the official library writes it, and is another one in each 402", async () => {
    const shop = openShop();
    const first = Challenge.fromResponse(await shop.get("/test/work?n=1"));
    const second = Challenge.fromResponse(await shop.get("/test/work?n=1"));
    expect(first).toMatchObject({
      method: "evm",
      intent: "charge",
      realm: "shop.test",
      request: { amount: "1000", methodDetails: { chainId: 8453 } },
    });
    expect(Challenge.deserialize(Challenge.serialize(first))).toEqual(first);
    expect(first.id).not.toBe(second.id);
  });

  it("is left out by one option, and then its credentials count for nothing", async () => {
    const shop = openShop({
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" }, mpp: false },
    });
    const response = await shop.get("/test/work?n=1", { authorization: "Payment abc" });
    expect([response.status, response.headers.has("www-authenticate")]).toEqual([402, false]);
    expect(await response.json()).toMatchObject({ error: "Payment required" });
  });

  it("binds its authorization: one signed for another challenge, or for nothing, is refused", async () => {
    const { fetch, sent } = await buyer();
    await fetch(UNIT);
    const honest = Credential.fromRequest(sent.at(-1) ?? new Request(UNIT));
    const present = async (credential: typeof honest) => {
      const response = await handle(
        new Request(UNIT, { headers: { authorization: Credential.serialize(credential) } }),
      );
      const { error } = (await response.json()) as { error?: string };
      return [response.status, error];
    };
    const other = { ...honest, challenge: { ...honest.challenge, id: "another-challenge-id" } };
    expect((await present(other))[0]).toBe(402);
    const header = await handle(new Request(UNIT, { headers: { authorization: "Payment e30" } }));
    expect([header.status, ((await header.json()) as { error: string }).error]).toEqual([
      402,
      expect.stringMatching(/evm\/charge/),
    ]);
  });

  it.each<[string, (challenge: Challenge.Challenge) => Partial<Challenge.Challenge>]>([
    ["as it was issued", () => ({})],
    ["of another realm", () => ({ realm: "other.test" })],
    ["of an id that nobody issued", ({ id }) => ({ id: `${id.slice(0, -22)}${"A".repeat(22)}` })],
    ["of the first half of an id", ({ id }) => ({ id: `${"B".repeat(22)}${id.slice(22)}` })],
    ["of an id with another letter", ({ id }) => ({ id: (id.startsWith("0") ? "1" : "0") + id.slice(1) })],
    ["of its id in another spelling", ({ id }) => ({ id: id.slice(0, 21) + respelled(id.charAt(21)) + id.slice(22) })],
    ["of a part of its id", ({ id }) => ({ id: id.slice(0, 22) })],
    ["of another amount", ({ request }) => ({ request: { ...request, amount: "1" } })],
    ["of another payee", ({ request }) => ({ request: { ...request, recipient: `0x${"11".repeat(20)}` } })],
    ["that lives longer than it was issued for", () => ({ expires: "2036-01-01T00:00:00.000Z" })],
    ["without an end", () => ({ expires: undefined })],
  ])("%s is taken only if it is ours, word for word", async (what, change) => {
    const shop = openShop();
    const issued = Challenge.fromResponse(await shop.get("/test/work?n=1"));
    const response = await shop.get("/test/work?n=1", await credentialFor(shop, { ...issued, ...change(issued) }));
    expect(response.status).toBe(what === "as it was issued" ? 200 : 402);
    expect(shop.facilitator.asked("verify")).toBe(what === "as it was issued" ? 1 : 0);
  });

  it("of another price, or that has expired, buys nothing", async () => {
    const shop = openShop();
    const cheap = Challenge.fromResponse(await shop.get("/test/work?n=1"));
    const dear = await shop.get("/test/dear?n=1", await credentialFor(shop, cheap, "500000"));
    expect(dear.status).toBe(402);
    shop.clock.advance(3600);
    expect((await shop.get("/test/work?n=1", await credentialFor(shop, cheap))).status).toBe(402);
    expect(shop.facilitator.asked("verify")).toBe(0);
  });

  it("is good at every instance on its store, and for the same answer after its end", async () => {
    const shared = { store: createMemoryStore(), clock: fakeClock(), facilitator: fakeFacilitator() };
    const [first, second] = [openShop(shared), openShop(shared)];
    const issued = Challenge.fromResponse(await first.get("/test/work?n=1"));
    const headers = await credentialFor(second, issued);
    const bought = await second.get("/test/work?n=1", headers);
    expect(bought.status).toBe(200);
    shared.clock.advance(3600);
    expect(await (await first.get("/test/work?n=1", headers)).text()).toBe(await bought.text());
    // One on another store never issued it.
    expect((await openShop({ clock: shared.clock }).get("/test/work?n=1", headers)).status).toBe(402);
  });

  it("leaves the host's own use of Authorization alone", async () => {
    const shop = openShop();
    const response = await shop.get("/test/work?n=1", { authorization: "Bearer abc" });
    expect(await response.json()).toMatchObject({ error: "Payment required" });
  });
});
