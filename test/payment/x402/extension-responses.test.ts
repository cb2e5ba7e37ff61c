/** The header EXTENSION-RESPONSES, in which a facilitator tells how it took a payment's extensions. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { sameAccount } from "../../../src/payment/networks/accounts.js";
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
    { extension: "bazaar", ...REJECTED.bazaar },
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
  expect(lines.at(-1)?.[1]).toEqual({ extension: "e0", status: "y".repeat(200) });
  const odd = asking([encode({ a: 1, b: { status: 7, code: "c", secret: "s" } })]);
  expect(await odd.client.verify(payment)).toEqual({ kind: "valid" });
  expect(odd.lines.map(([, facts]) => facts)).toEqual([{ extension: "a" }, { extension: "b", code: "c" }]);
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
