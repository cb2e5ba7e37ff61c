/** The table of ways to pay in docs/payments.md, against what hosts really offer. */
import { readFileSync } from "node:fs";
import { Challenge } from "mppx";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { legacy } from "../../src/capability/output.js";
import { createHandler } from "../../src/handler/handler.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { APPROVAL_SPONSORING, PERMIT_SPONSORING } from "../../src/payment/x402/gas-sponsoring.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

const EVM = "eip155:8453";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const TOKEN = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";

const rows = (() => {
  const text = readFileSync(new URL("../../docs/payments.md", import.meta.url), "utf8");
  const [, section = ""] = text.split("### Ways to pay");
  const table = section.split("\n").filter((line) => line.startsWith("| "));
  return table.slice(2).map((line) => line.slice(2, -2).split(" | "));
})();
const served = rows.filter(([way = ""]) => /^(?:x402|Machine Payments Protocol)/.test(way));

/** Kinds, extensions and an account, as a facilitator that knows everything lists them. */
const facilitator = {
  supported: async () => ({
    kinds: [
      { x402Version: 2, scheme: "exact", network: EVM },
      { x402Version: 2, scheme: "upto", network: EVM, extra: { facilitatorAddress: TREASURY } },
      { x402Version: 2, scheme: "batch-settlement", network: EVM },
      { x402Version: 2, scheme: "exact", network: SOLANA, extra: { feePayer: OWNER } },
    ],
    extensions: [PERMIT_SPONSORING, APPROVAL_SPONSORING],
    signers: {},
  }),
  verify: async () => ({ isValid: false }),
  settle: async () => ({ success: false, errorReason: "no", transaction: "", network: EVM }),
};

const work = defineCapability({
  id: "test.work",
  summary: "Is billed by usage.",
  price: { min: "0.001", max: "0.01", quote: () => "0.01" },
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: legacy(z.object({})),
  example: {},
  run: async () => ({}),
} as never);

interface Seen {
  ways: Set<string>;
  extensions: string[];
}

/** The ways that a host offers, by scheme, kind of network, how the token moves, and when. */
async function offeredBy(payment: Partial<PaymentOptions>): Promise<Seen> {
  const handle = createHandler({
    capabilities: [work],
    payment: { treasury: { [EVM]: TREASURY }, facilitator: facilitator as never, rpc: false, ...payment },
    trial: false,
  });
  const ask = (path = "") => handle(new Request(`http://shop.test/api/test/work${path}`));
  await ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const response = await ask();
  const quote = quoteOf(response) as ReturnType<typeof quoteOf> & { extensions: object };
  const ways = new Set<string>();
  for (const { scheme, network, extra } of quote.accepts) {
    const moves = extra.assetTransferMethod ?? (network === SOLANA ? "transaction" : "eip3009");
    ways.add([scheme, network.split(":")[0], moves, extra.paymentFlow ?? "authorization"].join(" "));
  }
  const header = response.headers.get("www-authenticate");
  for (const { method, intent, request } of header ? Challenge.fromResponseList(response) : []) {
    const { credentialTypes = ["transaction"] } = request.methodDetails as { credentialTypes?: string[] };
    ways.add(`${method}/${intent} ${credentialTypes.join()}`);
  }
  await handle.close();
  return { ways, extensions: Object.keys(quote.extensions) };
}

const account = privateKeyToAccount(generatePrivateKey());
const channels = {
  schemes: ["exact", "batch-settlement"] as const,
  channels: { signer: account, allowMemoryStore: true },
};
const node = { rpc: { [EVM]: "http://127.0.0.1:9" } };

/** What a host turns on, the way that it then offers, and the row of the table, by its first two cells. */
const WAYS: readonly [string, Partial<PaymentOptions>, string, RegExp][] = [
  ["by default", {}, "exact eip155 eip3009 authorization", /^x402 `exact` \| EVM: USDC/],
  [
    "settled first",
    { settleFirst: ["test.work"] },
    "exact eip155 eip3009 upfront",
    /^x402 `exact`, `settleFirst` \| EVM, Solana/,
  ],
  ["on Solana", { treasury: { [SOLANA]: OWNER } }, "exact solana transaction authorization", /^x402 `exact` \| Solana/],
  [
    "on Solana, settled first",
    { treasury: { [SOLANA]: OWNER }, settleFirst: ["test.work"] },
    "exact solana transaction upfront",
    /^x402 `exact`, `settleFirst` \| EVM, Solana/,
  ],
  [
    "by Permit2",
    { assets: { [EVM]: { address: TOKEN, name: "Token", version: "1", transferMethod: "permit2" } } },
    "exact eip155 permit2 authorization",
    /^x402 `exact`, \[`transferMethod: "permit2"`\]\S* \| EVM: any ERC-20/,
  ],
  ["by usage", { schemes: ["exact", "upto"] }, "upto eip155 permit2 authorization", /^x402 `upto`\S* .*\| EVM/],
  [
    "by channel",
    { ...channels, ...node },
    "batch-settlement eip155 eip3009 authorization",
    /^x402 `batch-settlement`.* \| EVM/,
  ],
  [
    "by channel, through Permit2",
    {
      ...channels,
      ...node,
      assets: { [EVM]: { address: TOKEN, name: "Token", version: "1", transferMethod: "permit2" } },
    },
    "batch-settlement eip155 permit2 authorization",
    /^x402 `batch-settlement`.* \| EVM/,
  ],
  [
    "in MPP by default",
    {},
    "evm/charge authorization",
    /^Machine Payments Protocol, `evm\/charge` \| EVM, by EIP-3009/,
  ],
  [
    "in MPP by Permit2",
    { mpp: { permit2: { [EVM]: account as never } }, ...node },
    "evm/charge permit2",
    /^Machine Payments Protocol, `evm\/charge` by Permit2.*not proved \| EVM/,
  ],
  [
    "in MPP on Solana",
    { treasury: { [SOLANA]: OWNER }, mpp: { solana: true } },
    "solana/charge transaction",
    /^Machine Payments Protocol, `solana\/charge`.*not proved \| Solana/,
  ],
];

const rowFor = (like: RegExp) => served.filter(([way, networks]) => like.test(`${way} | ${networks}`));

describe("the table of ways to pay", () => {
  it.each(WAYS)("has the one %s", async (_, options, way, like) => {
    const { ways } = await offeredBy(options);
    expect([...ways]).toContain(way);
    const [row, another] = rowFor(like);
    expect([row?.length, another]).toEqual([5, undefined]);
  });

  it("names the extensions that come with each", async () => {
    const always = ["bazaar", "payment-identifier", PERMIT_SPONSORING, APPROVAL_SPONSORING];
    for (const row of served) {
      const ofRow = WAYS.filter(([, , , like]) => rowFor(like).includes(row));
      const seen = await Promise.all(ofRow.map(([, options]) => offeredBy(options)));
      const extensions = seen.flatMap((one) => one.extensions);
      const named = [...(row[3] ?? "").matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);
      for (const name of named.filter((one) => always.includes(one)))
        expect([row[0], extensions]).toEqual([row[0], expect.arrayContaining([name])]);
    }
  });

  it("has none that no host offers, and hosts offer none that it lacks", async () => {
    expect(served.filter((row) => !WAYS.some(([, , , like]) => rowFor(like).includes(row)))).toEqual([]);
    const known = new Set(WAYS.map(([, , way]) => way));
    const both = { treasury: { [EVM]: TREASURY, [SOLANA]: OWNER } };
    const mpp = { permit2: { [EVM]: account as never }, solana: true };
    const all = await offeredBy({ ...both, ...channels, ...node, schemes: ["exact", "upto", "batch-settlement"], mpp });
    expect([...all.ways].filter((way) => !known.has(way))).toEqual([]);
    expect(all.ways.size).toBe(7);
    // What nobody has proved is off unless the host asks for it.
    expect([...(await offeredBy(both)).ways]).toEqual([
      "exact eip155 eip3009 authorization",
      "exact solana transaction authorization",
      "evm/charge authorization",
    ]);
  });
});
