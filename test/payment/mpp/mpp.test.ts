/** Buyers of the Machine Payments Protocol, with their official client, on a real chain through the official facilitator. */
import { Challenge, Credential, Receipt } from "mppx";
import { Mppx } from "mppx/client";
import { charge } from "mppx/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, startChain } from "../../../examples/local-chain/chain.js";
import { startFacilitator } from "../../../examples/local-chain/facilitator.js";
import { barcodeGenerate } from "../../../src/capabilities/barcode/index.js";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { createHandler, type Handler } from "../../../src/handler.js";
import { openShop } from "../../support/shop.js";
import { TREASURY } from "../../support/wallets.js";

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
  return { fetch, sent, paid: async () => 1_000_000n - (await chain.balanceOf(account.address)) };
}

async function quote() {
  const response = await handle(new Request(UNIT));
  const header = response.headers.get("payment-required") ?? "";
  return JSON.parse(Buffer.from(header, "base64").toString()) as { accepts: { extra: Record<string, unknown> }[] };
}

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

  it("leaves the host's own use of Authorization alone", async () => {
    const shop = openShop();
    const response = await shop.get("/test/work?n=1", { authorization: "Bearer abc" });
    expect(await response.json()).toMatchObject({ error: "Payment required" });
  });
});
