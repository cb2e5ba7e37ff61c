/** The header EXTENSION-RESPONSES, in which a facilitator tells how it took a payment's extensions. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { sameAccount } from "../../../src/payment/networks/accounts.js";
import { createExtensionLog } from "../../../src/payment/x402/extension-responses.js";
import { createFacilitatorClient } from "../../../src/payment/x402/facilitator.js";

const payment = {
  ...{ payload: {}, payer: "0x01" },
  requirements: {
    ...{ scheme: "exact" as const, network: "eip155:8453", amount: "1", asset: "0x", payTo: "0x" },
    ...{ maxTimeoutSeconds: 60, extra: {} },
  },
};
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
const REJECTED = { bazaar: { status: "rejected", rejectedReason: "the description is too long", code: "too_long" } };

function keptLog() {
  const lines: [level: string, facts: object, text: string][] = [];
  const at = (level: string) => (facts: object, text: string) => lines.push([level, facts, text]);
  return { lines, logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } };
}

function asking(headers: (string | undefined)[]) {
  const { lines, logger } = keptLog();
  const fetch: typeof globalThis.fetch = async () => {
    const header = headers.shift();
    return Response.json({ isValid: true }, header === undefined ? {} : { headers: { "extension-responses": header } });
  };
  return {
    lines,
    client: createFacilitatorClient({ url: "https://facilitator.test" }, { fetch, sameAccount, logger }),
  };
}

it("tells the log what a facilitator rejected, once until it says something else", async () => {
  const taken = { bazaar: { status: "success" } };
  const { lines, client } = asking([encode(REJECTED), encode(REJECTED), undefined, encode(taken), encode(REJECTED)]);
  for (let i = 0; i < 5; i++) expect(await client.verify(payment)).toEqual({ kind: "valid" });
  expect(lines.map(([level]) => level)).toEqual(["warn", "info", "warn"]);
  expect(lines[0]?.slice(1)).toEqual([
    { extension: "bazaar", request: "verify", ...REJECTED.bazaar },
    "facilitator: it rejected the extension bazaar",
  ]);
});

it("takes nothing amiss in such a header, and lets it fill no log", async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`e${i}`, { status: "rejected" }]));
  const others = Array.from({ length: 50 }, (_, i) => encode({ [`x${i}`]: { status: "rejected" } }));
  const nothing = ["", "e30=", "%%%", encode([]), encode("a"), encode(null), "a".repeat(100_000)];
  const { lines, client } = asking([...nothing, encode(many), ...others, encode({ e0: { status: "y".repeat(5000) } })]);
  for (let i = 0; i < nothing.length; i++) expect(await client.verify(payment)).toEqual({ kind: "valid" });
  expect(lines).toEqual([]);
  for (let i = 0; i < others.length + 2; i++) expect(await client.verify(payment)).toEqual({ kind: "valid" });
  expect(lines.length).toBe(17);
  expect(lines.at(-1)?.[1]).toEqual({ extension: "e0", request: "verify", status: "y".repeat(200) });
  const odd = asking([encode({ a: 1, b: { status: 7, code: "c", secret: "s" } })]);
  expect(await odd.client.verify(payment)).toEqual({ kind: "valid" });
  expect(odd.lines.map(([, facts]) => facts)).toEqual([
    { extension: "a", request: "verify" },
    { extension: "b", request: "verify", code: "c" },
  ]);
});

it("reads it over a connection of our own, and from clients of the official packages", async () => {
  const server = createServer((_, response) => {
    response.setHeader("EXTENSION-RESPONSES", encode(REJECTED));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ isValid: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` as const;
  const inProcess = {
    verify: async () => ({ isValid: true, extensionResponses: REJECTED }),
    settle: async () => ({}),
  };
  for (const from of [{ url }, inProcess]) {
    const { lines, logger } = keptLog();
    const client = createFacilitatorClient(from, { sameAccount, logger });
    expect(await client.verify(payment)).toEqual({ kind: "valid" });
    expect(lines.map(([level]) => level)).toEqual(["warn"]);
  }
});

const SETTLED = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x01" };
const accepted = { kind: "settled", transaction: "0x1", payer: "0x01", amount: "1" };

it("writes no line for each payment where verifying, settling and endpoints are answered differently", async () => {
  const { lines, logger } = keptLog();
  const statusOf = { "test.a": "success", "test.b": "rejected" } as const;
  let endpoint: keyof typeof statusOf = "test.a";
  const says = (status: string) => ({ extensionResponses: { bazaar: { status } } });
  const from = {
    verify: async () => ({ isValid: true, ...says("processing") }),
    settle: async () => ({ ...SETTLED, ...says(statusOf[endpoint]) }),
  };
  const client = createFacilitatorClient(from, { sameAccount, logger });
  for (let i = 0; i < 20; i++) {
    endpoint = i % 2 === 0 ? "test.a" : "test.b";
    const sold = { ...payment, paidFor: { endpoint, url: "https://shop.test/api" } };
    await client.verify(sold);
    expect(await client.settle(sold)).toEqual(accepted);
  }
  expect(lines.map(([, facts]) => facts)).toEqual([
    { extension: "bazaar", endpoint: "test.a", request: "verify", status: "processing" },
    { extension: "bazaar", endpoint: "test.a", request: "settle", status: "success" },
    { extension: "bazaar", endpoint: "test.b", request: "verify", status: "processing" },
    { extension: "bazaar", endpoint: "test.b", request: "settle", status: "rejected" },
  ]);
});

it("writes at most a hundred lines an hour, whatever reasons it is told", () => {
  const { lines, logger } = keptLog();
  let at = 0;
  const tell = createExtensionLog(logger, () => at);
  const flood = () => {
    for (let i = 0; i < 1000; i++)
      tell({ path: "verify", endpoint: `test.${i}` }, { bazaar: { status: "rejected", reason: `request ${at} ${i}` } });
  };
  flood();
  expect(lines.length).toBe(100);
  at = 3_600_000;
  flood();
  expect(lines.length).toBe(200);
});

it("reads no line break into the text of a line, and the other extensions all the same", async () => {
  const { lines, client } = asking([encode({ "a\nERROR forged": REJECTED.bazaar, ["y".repeat(65)]: {}, bazaar: {} })]);
  await client.verify(payment);
  expect(lines.map(([, , text]) => text)).toEqual(["facilitator: it answered the extension bazaar"]);
});

it("leaves a settlement as it is when the responses cannot be read or told", async () => {
  const { logger } = keptLog();
  const broken = () => {
    throw new Error("the disk is full");
  };
  const unreadable = {
    ...SETTLED,
    get extensionResponses() {
      return broken();
    },
  };
  const rejecting = { ...SETTLED, extensionResponses: REJECTED };
  for (const [answer, log] of [
    [unreadable, logger],
    [rejecting, { ...logger, warn: broken }],
  ] as const) {
    const from = { verify: async () => ({ isValid: true }), settle: async () => answer };
    const client = createFacilitatorClient(from, { sameAccount, logger: log });
    expect(await client.settle(payment)).toEqual(accepted);
  }
});
