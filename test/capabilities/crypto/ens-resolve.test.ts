import { encodeAbiParameters, namehash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cryptoEnsResolve } from "../../../src/capabilities/crypto/ens-resolve.js";
import { type EvmChain, startEvmChain } from "../../support/evm-chain.js";
import { fakeUpstream } from "../../support/upstream.js";

const ALICE = "0x9531C059098e3d194fF87FebB587aB07B30B1306";
const MALLORY = "0x00000000000000000000000000000000DeaDBeef";
const NO_RECORDS = { avatar: null, email: null, url: null, twitter: null, github: null, description: null };
const reverse = (address: string) => `${address.slice(2).toLowerCase()}.addr.reverse`;

let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain();
  await chain.ens.register("alice.eth", {
    address: ALICE,
    texts: {
      avatar: "eip155:1/erc721:0x1/2",
      "com.twitter": "alice",
      "com.github": "alice-hub",
      description: "Ünï 🦊",
    },
  });
  await chain.ens.register(reverse(ALICE), { primary: "alice.eth" });
  await chain.ens.register(reverse(MALLORY), { primary: "alice.eth" });
  await chain.ens.register("empty.eth", {});
}, 60_000);
afterAll(() => chain.stop());

/** The local node for Ethereum, and `gateway` for whoever a name sends us to. */
function ask(
  query: string,
  gateway: (url: URL, init?: RequestInit) => Response = () => new Response(null, { status: 404 }),
) {
  const asked: string[] = [];
  const door: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.href.startsWith(chain.secrets.RPC_URL_ETHEREUM ?? "")) return fetch(input, init);
    asked.push(url.href);
    return gateway(url, init);
  };
  const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
  const options = { secrets: chain.secrets, cache: false as const, fetch: door, outbound: { lookup } };
  return { asked, result: cryptoEnsResolve({ query }, options) };
}

describe("crypto.ens-resolve, from a node", () => {
  it("gives a name's address and profile, whatever the case of the name", async () => {
    const { items, source } = await ask("Alice.ETH").result;
    expect(items).toEqual([
      {
        query: "Alice.ETH",
        type: "name",
        name: "alice.eth",
        address: ALICE,
        resolver: expect.stringMatching(new RegExp(chain.ens.resolver, "i")),
        records: {
          avatar: "eip155:1/erc721:0x1/2",
          email: null,
          url: null,
          twitter: "alice",
          github: "alice-hub",
          description: "Ünï 🦊",
        },
      },
    ]);
    expect(source).toMatchObject({ provider: "ENS", url: "https://app.ens.domains/alice.eth" });
  });

  it("gives the primary name of an address, with the profile", async () => {
    const { items } = await ask(ALICE.toLowerCase()).result;
    expect(items[0]).toMatchObject({
      type: "address",
      name: "alice.eth",
      address: ALICE,
      records: { twitter: "alice" },
    });
  });

  it("believes no primary name that leads to somebody else", async () => {
    expect((await ask(MALLORY).result).items[0]).toMatchObject({ name: null, address: MALLORY, records: null });
  });

  it.each(["0x1111111111111111111111111111111111111111"])("knows no name of %s", async (query) => {
    expect((await ask(query).result).items[0]).toMatchObject({ name: null, resolver: null, records: null });
  });

  it.each(["unregistered.eth", "dsadsad"])("has no address for %s", async (query) => {
    const { items } = await ask(query).result;
    expect(items[0]).toMatchObject({ name: query, address: null, resolver: null, records: NO_RECORDS });
  });

  it("has no address for a name that is registered without one", async () => {
    const { items } = await ask("empty.eth").result;
    expect(items[0]).toMatchObject({ address: null, resolver: expect.any(String), records: NO_RECORDS });
  });

  it.each(["a..eth", "with space.eth", "ok_under_score.eth".replace("ok_", "o_k"), "\u0000ab"])(
    "refuses %j, which is no name",
    async (query) => {
      const { fetch, seen } = fakeUpstream([]);
      await expect(cryptoEnsResolve({ query }, { fetch })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: "query" }],
      });
      expect(seen).toEqual([]);
    },
  );
});

describe("crypto.ens-resolve of a name that a gateway answers for (EIP-3668)", () => {
  const TEMPLATE = "https://gateway.example/{sender}/{data}.json";
  const ANSWERS: Record<string, string> = {
    [namehash("moved.eth").slice(2)]: encodeAbiParameters([{ type: "address" }], [ALICE]),
  };
  beforeAll(async () => {
    await chain.ens.register("moved.eth", { gateway: TEMPLATE });
    await chain.ens.register("posted.eth", { gateway: "https://gateway.example/{sender}/lookup" });
    await chain.ens.register("inward-posted.eth", { gateway: "http://169.254.169.254/" });
    await chain.ens.register("inward.eth", { gateway: "http://169.254.169.254/{data}" });
  });

  it("asks it for the address and the records", async () => {
    const { asked, result } = ask("moved.eth", ({ pathname }) => {
      const isAddress = pathname.includes("/0x3b3b57de");
      const node = Object.keys(ANSWERS).find((hash) => pathname.includes(hash)) ?? "";
      const data = isAddress ? ANSWERS[node] : encodeAbiParameters([{ type: "string" }], ["from afar"]);
      return Response.json({ data });
    });
    const { items } = await result;
    expect(items[0]).toMatchObject({ address: ALICE, records: { avatar: "from afar", description: "from afar" } });
    expect(asked).toHaveLength(7);
    expect(asked[0]).toMatch(
      new RegExp(`^https://gateway.example/${chain.ens.resolver}/0x3b3b57de[0-9a-f]+.json$`, "i"),
    );
  });

  it("posts to one that has no place for the data in its address", async () => {
    const posted: unknown[] = [];
    const { asked, result } = ask("posted.eth", (_, init) => {
      const body = JSON.parse(String(init?.body));
      posted.push([init?.method, new Headers(init?.headers).get("content-type"), Object.keys(body)]);
      const isAddress = body.data.startsWith("0x3b3b57de");
      const data = isAddress
        ? encodeAbiParameters([{ type: "address" }], [ALICE])
        : encodeAbiParameters([{ type: "string" }], ["from afar"]);
      return Response.json({ data });
    });
    expect((await result).items[0]).toMatchObject({ address: ALICE, records: { avatar: "from afar" } });
    expect(new Set(asked)).toEqual(new Set([`https://gateway.example/${chain.ens.resolver.toLowerCase()}/lookup`]));
    expect(posted).toEqual(Array(7).fill(["POST", "application/json", ["data", "sender"]]));
  });

  it.each([500, 404, 302])("takes status %i of a POST for no answer", async (status) => {
    const gateway = () =>
      new Response('{"data":"0x"}', { status, headers: { location: "https://elsewhere.example/" } });
    await expect(ask("posted.eth", gateway).result).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });

  it.each([
    ["does not answer", () => new Response(null, { status: 503 })],
    ["answers nonsense", () => Response.json({ data: "0xz" })],
  ])("fails while it %s: that is no unset name", async (_, gateway) => {
    await expect(ask("moved.eth", gateway).result).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });

  it.each(["inward.eth", "inward-posted.eth"])("follows %s not into a private network", async (name) => {
    const { asked, result } = ask(name);
    await expect(result).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    expect(asked).toEqual([]);
  });
});

it.each([" alice.eth", "alice.eth ", "\u00a0alice.eth", "alice.eth\u3000", "alice .eth", "   "])(
  "refuses %j, which is no name (ENSIP-15), instead of trimming it",
  async (query) => {
    const { asked, result } = ask(query);
    await expect(result).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "query" }] });
    expect(asked).toEqual([]);
  },
);
