/** Agents that sign their requests (Web Bot Auth), by the client of mppx and by hand. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Client } from "mppx/attestation/web-bot-auth";
import { describe, expect, it } from "vitest";
import type { PolicyRequest } from "../../src/payment/admission/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { scriptedLookup } from "../support/outbound.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { toHeader } from "../support/wallets.js";

const ORIGIN = "https://shop.test";
const AGENT = "https://agent.example";
const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
const WORK = "/api/test/work?n=1";

const pair = generateKeyPairSync("ed25519");
const { x = "" } = pair.publicKey.export({ format: "jwk" });
const keyid = createHash("sha256")
  .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
  .digest("base64url");
const jwk = { kty: "OKP", crv: "Ed25519", x, kid: "whatever it is called" };

function open(options: ShopOptions = {}, answer: () => Response = () => Response.json({ keys: [jwk] })) {
  const facilitator = options.facilitator ?? fakeFacilitator();
  const clock = options.clock ?? fakeClock(new Date().toISOString());
  const asked: string[] = [];
  const heard: PolicyRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (url.startsWith("https://facilitator")) return facilitator.fetch(input, init);
    asked.push(url);
    return answer();
  };
  const shop = openShop({
    ...{
      brand: { baseUrl: ORIGIN },
      agents: { directories: [DIRECTORY] },
      outbound: { lookup: scriptedLookup().lookup },
    },
    policy: (request) => {
      heard.push(request);
      return { allow: true };
    },
    ...{ fetch, ...options, facilitator, clock },
  });
  /** Who called, as the policy hears of the free trial. */
  const callerOf = async (request: Request, clientAddress = `203.0.113.${heard.length + 1}`) => {
    const before = heard.length;
    const headers = new Headers(request.headers);
    headers.set("x-svc-trial", "1");
    const response = await shop.handle(new Request(request, { headers }), { clientAddress });
    expect([response.status, heard.length - before]).toEqual([200, 1]);
    return heard.at(-1)?.agent;
  };
  return { ...shop, asked, heard, callerOf };
}

/** The client of mppx, whose times are the system's. */
async function official() {
  const pkcs8 = pair.privateKey.export({ format: "der", type: "pkcs8" });
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  return Client.signer({ key, keyId: keyid, signatureAgent: AGENT });
}

interface Wish {
  url?: string;
  agent?: string;
  covered?: string;
  created?: number;
  expires?: number;
  nonce?: string | undefined;
  tag?: string;
  alg?: string;
  keyid?: string;
  authority?: string;
  key?: typeof pair.privateKey;
}

/** Signed by hand, as the draft has it. */
function signed(now: number, wish: Wish = {}): Request {
  const { url = ORIGIN + WORK, agent = `sig1="${DIRECTORY}"`, authority = new URL(url).host } = wish;
  const { covered = '"@authority" "signature-agent";key="sig1"', created = now, expires = now + 60 } = wish;
  const nonce = "nonce" in wish ? wish.nonce : randomBytes(16).toString("base64");
  const id = wish.keyid ?? keyid;
  const alg = wish.alg ?? "ed25519";
  const parameters = `(${covered});created=${created};expires=${expires};keyid="${id}";alg="${alg}"${nonce === undefined ? "" : `;nonce="${nonce}"`};tag="${wish.tag ?? "web-bot-auth"}"`;
  const values: Record<string, string> = {
    '"@authority"': authority,
    '"@path"': new URL(url).pathname,
    '"@method"': "GET",
    '"@target-uri"': url,
    '"@query"': new URL(url).search,
    '"signature-agent"': agent,
    '"signature-agent";key="sig1"': agent.slice("sig1=".length),
  };
  const lines = covered.split(" ").map((part) => `${part}: ${values[part]}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join("\n");
  const signature = sign(null, Buffer.from(base), wish.key ?? pair.privateKey).toString("base64");
  return new Request(url, {
    headers: { "signature-agent": agent, "signature-input": `sig1=${parameters}`, signature: `sig1=:${signature}:` },
  });
}

describe("an agent that signs its requests", () => {
  it("is named to the policy and to the host, by the directory that the host lists", async () => {
    const shop = open();
    const request = await (await official()).sign(new Request(ORIGIN + WORK));
    expect(await shop.callerOf(request)).toBe(DIRECTORY);
    expect(shop.events.at(-1)).toMatchObject({ agent: DIRECTORY, outcome: "trial" });
    expect(shop.asked).toEqual([DIRECTORY]);
  });

  it.each([
    ["the directory's address", {}],
    ["the older form, its origin alone", { agent: `"${AGENT}"`, covered: '"@authority" "signature-agent"' }],
    ["the whole address of the request", { covered: '"@target-uri" "@method" "signature-agent";key="sig1"' }],
    ["its parts", { covered: '"@authority" "@path" "@query" "signature-agent";key="sig1"' }],
  ] satisfies [string, Wish][])("may sign %s", async (_, wish) => {
    const shop = open();
    expect(await shop.callerOf(signed(shop.clock.seconds(), wish))).toBe(DIRECTORY);
  });

  it("pays like anybody, and chooses an account through the host's own login", async () => {
    const told: unknown[] = [];
    const identify = (_: Request, { agent }: { agent?: string }) => {
      told.push(agent);
      return agent === DIRECTORY ? { id: "agent-1" } : undefined;
    };
    const shop = open({ accounts: { identify }, trial: false });
    await shop.handle.accounts.topUp("agent-1", "1", { reference: "first" });
    const done = await shop.handle(signed(shop.clock.seconds()));
    expect([done.status, (await bodyOf(done)).meta]).toMatchObject([200, { caller: "account" }]);
    expect(shop.heard.at(-1)).toMatchObject({ agent: DIRECTORY, account: "agent-1", via: "account" });
    expect((await shop.handle(new Request(ORIGIN + WORK))).status).toBe(402);
    expect(told).toEqual([DIRECTORY, undefined]);
    const paid = signed(shop.clock.seconds());
    const headers = new Headers(paid.headers);
    headers.set("payment-signature", toHeader(await shop.payFor("/test/work?n=1")));
    expect((await shop.handle(new Request(paid, { headers }))).status).toBe(200);
    expect(shop.heard.at(-1)).toMatchObject({ agent: DIRECTORY, via: "http" });
  });
});

describe("a request is of no agent", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const other = generateKeyPairSync("ed25519");
  const cases: [string, () => Wish][] = [
    ["with another key's signature", () => ({ key: other.privateKey })],
    ["for another host", () => ({ authority: "evil.test" })],
    ["that is past", () => ({ created: now() - 120, expires: now() - 1 })],
    ["that is not yet valid", () => ({ created: now() + 600, expires: now() + 660 })],
    ["that lives for more than a day", () => ({ expires: now() + 90_000 })],
    ["without a nonce, which could be sent again", () => ({ nonce: undefined })],
    ["of another purpose", () => ({ tag: "something-else" })],
    ["that does not sign the host", () => ({ covered: '"@path" "signature-agent";key="sig1"' })],
    ["that does not sign the agent", () => ({ covered: '"@authority"' })],
    ["of a part that is not known", () => ({ covered: '"@authority" "@status" "signature-agent";key="sig1"' })],
    ["by another algorithm", () => ({ alg: "hmac-sha256" })],
    ["with a key that is not in the directory", () => ({ keyid: "A".repeat(43) })],
    ["of a directory that the host does not list", () => ({ agent: 'sig1="https://other.example/keys"' })],
    ["of an address in this network", () => ({ agent: 'sig1="http://169.254.169.254/keys"' })],
  ];
  it.each(cases)("%s", async (_, wish) => {
    const shop = open();
    expect(await shop.callerOf(signed(now(), wish()))).toBeUndefined();
    // No request names what is fetched.
    expect(shop.asked.filter((url) => url !== DIRECTORY)).toEqual([]);
  });

  it("that was sent before, to any instance", async () => {
    const store = createMemoryStore();
    const [one, two] = [open({ store }), open({ store })];
    const request = signed(now());
    expect(await one.callerOf(request.clone())).toBe(DIRECTORY);
    expect(await two.callerOf(request.clone(), "198.51.100.2")).toBeUndefined();
    expect(await one.callerOf(request.clone(), "198.51.100.3")).toBeUndefined();
  });

  it("with headers that are long, odd or cut off, and costs no request", async () => {
    const shop = open();
    const good = signed(now());
    const input = good.headers.get("signature-input") ?? "";
    for (const [name, value] of [
      ["signature-input", "(".repeat(4000)],
      ["signature-input", `${'a=("@authority");created=1,'.repeat(150)}`],
      ["signature-input", input.replace('"@authority"', '"@authority" "@authority"')],
      ["signature-input", input.slice(0, -2)],
      ["signature", "sig1=:AAAA:"],
      ["signature", "x".repeat(5000)],
      ["signature-agent", `sig1=${'"'.repeat(2000)}`],
    ] as const) {
      const headers = new Headers(good.headers);
      headers.set(name, value);
      expect(await shop.callerOf(new Request(good, { headers })), value.slice(0, 40)).toBeUndefined();
    }
    expect(shop.asked).toEqual([]);
  });
});

describe("the keys of a directory", () => {
  it("are read once an hour, and once a minute for one that is unknown, however many ask", async () => {
    const shop = open();
    const strange = { keyid: "A".repeat(43) };
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => shop.callerOf(signed(shop.clock.seconds(), strange), `198.51.100.${n}`)),
    ).catch(() => {});
    expect(shop.asked).toHaveLength(1);
    expect(await shop.callerOf(signed(shop.clock.seconds()), "192.0.2.1")).toBe(DIRECTORY);
    expect(shop.asked).toHaveLength(1);
  });

  it.each([
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://evil.test/keys" } })],
    ["an error", () => new Response("no", { status: 500 })],
    ["something else", () => Response.json({ hello: 1 })],
    [
      "keys of another kind",
      () => Response.json({ keys: [{ ...jwk, kty: "EC" }, null, { kty: "OKP", crv: "Ed25519", x: 1 }] }),
    ],
    ["a key that has ended", () => Response.json({ keys: [{ ...jwk, exp: 1 }] })],
    ["a book", () => new Response("x".repeat(300_000))],
  ] satisfies [string, () => Response][])("are none if the directory answers with %s", async (_, answer) => {
    const shop = open({}, answer);
    expect(await shop.callerOf(signed(shop.clock.seconds()))).toBeUndefined();
  });
});

it("nothing is read, and nobody named, unless the host lists agents", async () => {
  const shop = open({ agents: undefined as never });
  expect(await shop.callerOf(signed(shop.clock.seconds()))).toBeUndefined();
  expect(shop.asked).toEqual([]);
  expect(() => openShop({ agents: { directories: [DIRECTORY] } })).toThrow("agents needs brand.baseUrl");
  expect(() => openShop({ brand: { baseUrl: ORIGIN }, agents: { directories: ["agent.example"] } })).toThrow(
    "agents.directories[0] must be",
  );
});
