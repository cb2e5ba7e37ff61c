/** What a host hears when a node says that a network's token is not what its offers name. */
import { domainSeparator, encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { checkMint } from "../../src/payment/rails/solana/token.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const NODE = "https://node.test/";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const word = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value]);

/** A node of Base, as it should be; `more` answers otherwise, by method or by the selector of a call. */
function node(more: Record<string, unknown> = {}) {
  const domain = { name: "USD Coin", version: "2", chainId: 8453n, verifyingContract: USDC } as const;
  const answers: Record<string, unknown> = {
    ...{ eth_chainId: "0x2105", "0x313ce567": word(6), "0x3644e515": domainSeparator({ domain }) },
    ...{ "0x06fdde03": text("USD Coin"), "0x54fd4d50": text("2") },
    ...more,
  };
  const asked: string[] = [];
  const chain = fakeFacilitator();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) !== NODE) return chain.fetch(input, init);
    const { method, params } = JSON.parse(String(init?.body));
    const name = method === "eth_call" ? params[0].data : method;
    asked.push(name);
    const result = answers[name];
    if (result === "hangs") return new Promise(() => {});
    return Response.json({ jsonrpc: "2.0", id: 1, ...(result === undefined ? { error: { code: 3 } } : { result }) });
  };
  return { asked, chain, fetch };
}

function open(more: Record<string, unknown> = {}, networks = ["eip155:8453"]) {
  const { asked, chain, fetch } = node(more);
  const errors: string[] = [];
  const treasury = Object.fromEntries(networks.map((network) => [network, TREASURY]));
  const payment = { treasury, facilitator: { url: "https://facilitator.test" }, rpc: { "eip155:8453": NODE } };
  const logger = { ...silent, error: (_: object, message: string) => void errors.push(message) };
  const shop = openShop({ payment, facilitator: chain, fetch, logger, trial: false });
  const ready = async () => {
    const response = await shop.get("/readyz");
    return { status: response.status, body: await response.json() };
  };
  return { ...shop, asked, errors, ready };
}

describe("the token of a network, as its node says", () => {
  it("is asked once, by no call, and found in order", async () => {
    const { asked, ready, errors, get } = open();
    for (let i = 0; i < 3; i++) await get("/test/work?n=1");
    await expect.poll(() => asked.length).toBe(3);
    expect((await ready()).body).toMatchObject({ status: "ok", checks: { store: "ok", payment: "ok" } });
    expect([asked, errors]).toEqual([["eth_chainId", "0x313ce567", "0x3644e515"], []]);
  });

  it.each([
    ["another chain's node", { eth_chainId: "0x1" }, "payment.rpc names a node of the chain 1, not of 8453"],
    ["not one", { "0x313ce567": "0x" }, `${USDC} has no decimals() there, so it is not a token`],
    ["other decimals", { "0x313ce567": word(18) }, `the token ${USDC} has 18 decimals, not 6`],
    [
      "another domain",
      { "0x3644e515": word(1), "0x06fdde03": text("USDC") },
      `the token ${USDC} signs under another EIP-712 domain than "USD Coin", version "2": its contract has the name "USDC" and the version "2"`,
    ],
  ])("that is %s is told by the log and /readyz", async (_, more, problem) => {
    const { ready, errors, get } = open(more);
    await get("/test/work?n=1");
    await expect.poll(() => errors).toEqual([`payment: on eip155:8453 nothing can be sold rightly: ${problem}`]);
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: "unavailable", networks: [{ network: "eip155:8453", problem }] },
    });
  });

  it("is asked of no public node: a start sends nothing that the host did not configure", async () => {
    const { asked, fetch } = node();
    const sent: string[] = [];
    const payment = { treasury: { "eip155:8453": TREASURY, "eip155:137": TREASURY } };
    const shop = openShop({
      payment: { ...payment, facilitator: { url: "https://facilitator.test" }, rpc: { "eip155:137": NODE } },
      fetch: (input, init) => {
        sent.push(new URL(String(input)).host);
        return fetch(input, init);
      },
      trial: false,
    });
    await shop.get("/test/work?n=1");
    await shop.get("/readyz");
    // The node of Polygon was asked, and found to be of another network; none of Base was.
    await expect.poll(() => asked).toEqual(["eth_chainId"]);
    expect(new Set(sent)).toEqual(new Set(["node.test", "facilitator.test"]));
  });

  it("that is wrong on one of two networks leaves the service ready", async () => {
    const { ready, errors, get } = open({ eth_chainId: "0x1" }, ["eip155:8453", "eip155:137"]);
    await get("/test/work?n=1");
    await expect.poll(() => errors).toHaveLength(1);
    expect(await ready()).toMatchObject({ status: 200, body: { networks: [{ network: "eip155:8453" }] } });
  });

  it.each([
    ["does not answer", { eth_chainId: "hangs" }],
    ["has no DOMAIN_SEPARATOR", { "0x3644e515": undefined }],
    ["talks nonsense", { "0x313ce567": "six" }],
  ])("of which the node %s is none's concern", async (_, more) => {
    const { ready, errors, asked, pay, payFor } = open(more);
    expect((await pay("/test/work?n=1", await payFor("/test/work?n=1"))).status).toBe(200);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect((await ready()).status).toBe(200);
    expect(errors).toEqual([]);
  });

  it("on Solana has 6 decimals, and its node is of the network", async () => {
    const network = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    const genesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
    const rpc = (hash: string, decimals: number) => async (method: string) =>
      method === "getGenesisHash" ? hash : { value: { amount: "1", decimals } };
    expect(await checkMint(rpc(genesis, 6), network, "mint")).toBeUndefined();
    expect(await checkMint(rpc(genesis, 9), network, "mint")).toBe("the token mint has 9 decimals, not 6");
    const other = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
    expect(await checkMint(rpc(other, 6), network, "mint")).toContain("payment.rpc names a node of solana:EtWTRABZ");
  });
});
