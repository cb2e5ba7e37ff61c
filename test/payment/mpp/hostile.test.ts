/** Credentials, wishes and options that somebody wrote to do harm, or by mistake. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { createHandler } from "../../../src/handler/handler.js";
import type { MppOptions } from "../../../src/payment/options/options.js";
import { openShop } from "../../support/shop.js";
import { TREASURY } from "../../support/wallets.js";

const WORK = "/test/work?n=1";
const EVM = "eip155:8453";
const encoded = (value: string) => Buffer.from(value).toString("base64url");

/** As deep as fits into a header of 16 KiB, within another encoding. */
const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

it.each<[string, (request: string) => string]>([
  ["a deep request", () => deep("[", "]", 3_000)],
  ["a deep request of objects", () => `${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`],
  ["a request with a prototype", () => '{"__proto__":{"methodDetails":{"chainId":8453}},"constructor":1}'],
  ["a chain without end", () => '{"methodDetails":{"chainId":1e400}}'],
])("%s in a credential costs a 402, and nothing else", async (_, make) => {
  const shop = openShop();
  for (const method of ["evm", "solana", "__proto__", "constructor", "toString"]) {
    const inner = make("");
    const request = encoded(inner.startsWith("[") ? `{"methodDetails":{"chainId":8453},"a":${inner}}` : inner);
    const challenge = { id: "A".repeat(43), realm: "shop.test", method, intent: "charge", request };
    const payload = {
      type: "authorization",
      from: "",
      to: "",
      value: "1",
      validAfter: "0",
      validBefore: "1",
      nonce: "",
      signature: "",
    };
    const authorization = `Payment ${encoded(JSON.stringify({ challenge, payload }))}`;
    const response = await shop.get(WORK, { authorization });
    expect([method, [400, 402].includes(response.status)]).toEqual([method, true]);
  }
  expect([shop.runs(), shop.facilitator.asked("verify")]).toEqual([0, 0]);
});

it("a deep credential over MCP costs an answer like that of any other", async () => {
  const shop = openShop({ trial: false });
  for (const times of [1_000, 5_000, 50_000]) {
    const credential = `{"challenge":{"request":{"a":${deep("[", "]", times)}}},"payload":{}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_work","arguments":{"n":1},"_meta":{"org.paymentauth/credential":${credential}}}}`;
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await shop.handle(new Request("http://shop.test/api/mcp", { method: "POST", headers, body }));
    expect([times, response.status < 500]).toEqual([times, true]);
    expect(await response.text()).not.toMatch(/INTERNAL|stack/);
  }
  expect(shop.runs()).toBe(0);
});

it("a permit of hostile parts is refused where the host takes permits", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const asked: string[] = [];
  const handle = createHandler({
    capabilities: [convertUnit],
    payment: {
      treasury: { [EVM]: TREASURY },
      facilitator: { url: "https://facilitator.test" },
      rpc: { [EVM]: "https://node.test" },
      mpp: { permit2: { [EVM]: account as never } },
    },
    fetch: async (input) => {
      asked.push(String(input));
      throw new TypeError("nobody is asked");
    },
    trial: false,
  });
  const url = "http://shop.test/api/convert/unit?value=1&from=kg&to=lb";
  const [, permitted = ""] = ((await handle(new Request(url))).headers.get("www-authenticate") ?? "").split(
    /, (?=Payment )/,
  );
  const fields = Object.fromEntries(
    [...permitted.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const one = { token: TREASURY, amount: "1" };
  const permit = { permitted: [one], nonce: "1", deadline: "9999999999" };
  const transferDetails = [{ to: TREASURY, requestedAmount: "1" }];
  const witness = { challengeHash: `0x${"11".repeat(32)}` };
  const parts: Record<string, unknown>[] = [
    {},
    { permit: null },
    { permit: { ...permit, permitted: [] }, transferDetails: [] },
    { permit: { ...permit, permitted: Array.from({ length: 100 }, () => one) } },
    { permit: { ...permit, nonce: "-1" } },
    { permit: { ...permit, nonce: "9".repeat(78) } },
    { permit: { ...permit, deadline: "1e9" } },
    { transferDetails: "x" },
    { witness: { ...witness, externalId: "order" } },
    { witness: { challengeHash: "0x" } },
    { signature: "0x" },
    { signature: `0x${"11".repeat(5_000)}` },
  ];
  asked.length = 0;
  for (const part of parts) {
    const payload = { type: "permit2", permit, transferDetails, witness, signature: `0x${"11".repeat(65)}`, ...part };
    const source = `did:pkh:eip155:8453:${TREASURY}`;
    const authorization = `Payment ${encoded(JSON.stringify({ challenge: fields, payload, source }))}`;
    const response = await handle(new Request(url, { headers: { authorization } }));
    expect([part, response.status]).toEqual([part, 402]);
    expect(await response.json()).toMatchObject({
      type: expect.stringMatching(/^https:\/\/paymentauth\.org\/problems\//),
    });
  }
  expect(asked).toEqual([]);
  await handle.close();
});

it.each<[string, object, RegExp]>([
  ["the treasury's own account", { account: { address: TREASURY } }, /must not be the treasury/],
  ["no address", { account: { address: "me" } }, /address must be an address/],
  ["no node", { rpc: false }, /needs a node/],
])(
  "an account of permits with %s is told at the start",
  (_, { account, rpc }: { account?: object; rpc?: false }, said) => {
    const real = privateKeyToAccount(generatePrivateKey());
    const permit2 = { [EVM]: { ...real, ...account } } as unknown as MppOptions["permit2"];
    const open = () =>
      createHandler({
        capabilities: [convertUnit],
        payment: {
          treasury: { [EVM]: TREASURY },
          facilitator: { url: "https://facilitator.test" },
          ...(rpc === false ? { rpc } : {}),
          mpp: permit2 ? { permit2 } : {},
        },
      });
    expect(open).toThrow(said);
  },
);

it("an account of permits may be named by its network's name", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const shop = openShop({
    payment: {
      treasury: { [EVM]: TREASURY },
      facilitator: { url: "https://facilitator.test" },
      mpp: { permit2: { base: account as never } },
    },
  });
  expect((await shop.get(WORK)).headers.get("www-authenticate")?.match(/Payment id=/g)).toHaveLength(2);
});
