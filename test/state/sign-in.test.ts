/** Wallets that sign in instead of paying, with the official client where that is what is tested. */

import { ed25519 } from "@noble/curves/ed25519.js";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import {
  createSIWxClientExtension,
  createSIWxPayload,
  encodeSIWxHeader,
  wrapFetchWithSIWx,
} from "@x402/extensions/sign-in-with-x";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { createResources } from "../../src/lib/resources.js";
import type { CallEvent } from "../../src/payment/events/events.js";
import { openWallets } from "../../src/state/database/open.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { awayPool } from "../support/away-pool.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { addressOf, buyer, SOLANA, treasury } from "../support/solana.js";
import { fakeSolanaFacilitator } from "../support/solana-facilitator.js";
import { openWalletShop, type WalletShop } from "../support/wallet-shop.js";
import { alice, mallory, quoteOf, TREASURY } from "../support/wallets.js";
import { onBothEngines } from "../support/wallets-engine.js";

const ORIGIN = "https://shop.test";
const brand = { name: "Shop", slug: "svc", baseUrl: ORIGIN };
const owned = capabilities.filter(({ wallet, id }) => wallet || id === "batch.run");
const free = owned.filter(({ wallet }) => wallet?.signIn);
const WALLET = `${NETWORK}:${alice.address.toLowerCase()}`;

/** As wallets of Solana have it: the bytes in, the signature out. */
const solanaSigner = {
  publicKey: addressOf(buyer),
  signMessage: async (message: Uint8Array) => ed25519.sign(message, buyer.secretKey.subarray(0, 32)),
};

onBothEngines("a wallet that signs in", (engine) => {
  const shops: WalletShop[] = [];
  const open = (options: Partial<Parameters<typeof openWalletShop>[0]> = {}) => {
    const shop = openWalletShop({ capabilities: owned, wallets: engine.options(), brand, ...options });
    shops.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.handle.close();
  });
  /** One that never gets to its database. */
  const openAway = (options: Parameters<typeof open>[0] = {}) =>
    open({ wallets: { db: awayPool }, store: createMemoryStore(), ...options });

  /** What most tests share: opening a database takes seconds. */
  const events: CallEvent[] = [];
  const clock = fakeClock();
  let shop: WalletShop;
  beforeAll(() => {
    const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
    const onCall = (event: CallEvent) => void events.push(event);
    shop = openWalletShop({
      capabilities: owned,
      wallets: engine.options(),
      ...{ brand, clock, onCall, outbound: { lookup } },
    });
    shop.facilitator.setClock(clock.seconds);
  });
  afterAll(() => shop.handle.close());

  /** The wire to a shop, as it is asked at its public address. */
  const wire = (shop: WalletShop): typeof fetch => {
    return async (input, init) => shop.handle(new Request(input, init), { clientAddress: "203.0.113.7" });
  };
  const urlOf = (id: string) => `${ORIGIN}/api/${id.replace(".", "/")}`;
  const ask = (
    fetch: typeof globalThis.fetch,
    id: string,
    input: unknown = {},
    headers: Record<string, string> = {},
  ) =>
    capabilities.find((one) => one.id === id)?.method === "GET"
      ? fetch(`${urlOf(id)}?${new URLSearchParams(input as Record<string, string>)}`, { headers })
      : fetch(urlOf(id), { method: "POST", body: JSON.stringify(input), headers });
  const offerOf = async (shop: WalletShop, id: string, input: unknown = {}) =>
    quoteOf(await ask(wire(shop), id, input)).extensions?.["sign-in-with-x"] as Offer | undefined;
  interface Offer {
    info: { domain: string; uri: string; version: string; nonce: string; issuedAt: string; expirationTime: string };
    supportedChains: { chainId: string; type: "eip191" | "ed25519" }[];
  }
  /** A proof as the official client makes it, of an offer that may be changed before it is signed. */
  const proofOf = async (offer: Offer | undefined, changes: Partial<Offer["info"]> = {}, signer: object = alice) => {
    if (!offer) throw new Error("nothing offered");
    const chain = offer.supportedChains[0];
    const info = { ...offer.info, ...changes, ...chain } as Parameters<typeof createSIWxPayload>[0];
    const at = `https://${info.domain}`;
    return encodeSIWxHeader(await createSIWxPayload(info, signer as typeof alice, at));
  };
  const signIn = (shop: WalletShop, id: string, proof: string, input: unknown = {}) =>
    ask(wire(shop), id, input, { "sign-in-with-x": proof });
  const codeOf = async (response: Response) =>
    ((await bodyOf(response)) as unknown as { extensions?: { code?: string } }).extensions?.code;

  const inputs: Record<string, unknown> = {
    "store.erase": { confirm: "erase everything", ns: "none" },
    "queue.stats": { queue: "jobs" },
  };

  it("WAL-58 calls every operation on what it has for nothing, by the official client, on EVM networks", async () => {
    const put = { ns: "n", key: "mine", value: { a: 1 } };
    await shop.handle.call("store.kv-put" as never, put as never, { wallet: WALLET });
    const created = await shop.handle.call(
      "schedule.create" as never,
      { callbackUrl: "https://example.com/hook", everySeconds: 3600 } as never,
      { wallet: WALLET },
    );
    const [{ scheduleId }] = (created as { items: [{ scheduleId: string }] }).items;
    const traced = shop.facilitator.trace.length;
    const signed = wrapFetchWithSIWx(wire(shop), alice);
    expect(free.map(({ id }) => id)).toEqual(expect.arrayContaining(["store.usage", "store.export", "store.erase"]));
    for (const { id, example } of free) {
      const input = id.startsWith("schedule.") && id !== "schedule.list" ? { scheduleId } : (inputs[id] ?? example);
      const response = await ask(signed, id, input);
      const body = await bodyOf(response);
      // Examples name what only trials find.
      if (response.status === 404 && /^(?:watch|pubsub)/.test(id)) continue;
      expect([id, response.status, body.meta]).toMatchObject([id, 200, { caller: "free", costUsd: "0" }]);
      expect((body.data as { meta?: { wallet?: string } }).meta?.wallet, id).toBe(WALLET);
    }
    expect(shop.facilitator.trace).toHaveLength(traced);
    const exported = await bodyOf(await ask(signed, "store.export", { kinds: ["kv"] }));
    expect(exported.data.items).toMatchObject([{ key: "mine", value: { a: 1 } }]);
    const others = await bodyOf(await ask(wrapFetchWithSIWx(wire(shop), mallory), "store.export", {}));
    expect(others.data.items).toEqual([]);
  });

  it("asks the host's policy about a wallet that signed in", async () => {
    const asked: string[] = [];
    const shop = open({
      policy: ({ via, payer }) => {
        asked.push(`${via} ${payer}`);
        return { allow: false, code: "EMBARGO", reason: "No." };
      },
    });
    const answer = await signIn(shop, "store.usage", await proofOf(await offerOf(shop, "store.usage")));
    expect([answer.status, await bodyOf(answer)]).toMatchObject([403, { reasonCode: "EMBARGO" }]);
    expect(asked).toEqual([`sign-in ${alice.address}`]);
  });

  it("WAL-58 signs in with a key of Solana", async () => {
    const facilitator = fakeSolanaFacilitator();
    const shop = open({
      payment: { treasury: { [SOLANA]: addressOf(treasury) }, facilitator: { url: FACILITATOR_URL }, rpc: false },
      fetch: facilitator.fetch,
      store: createMemoryStore(),
    });
    await shop.handle.call("store.kv-put" as never, { ns: "n", key: "k", value: 1 } as never, {
      wallet: `${SOLANA}:${addressOf(buyer)}`,
    });
    for (const { id, example } of free.filter(({ id }) => id.startsWith("store."))) {
      const response = await ask(wrapFetchWithSIWx(wire(shop), solanaSigner), id, inputs[id] ?? example);
      expect([id, response.status]).toEqual([id, 200]);
    }
    const [offer] = await Promise.all([offerOf(shop, "store.usage")]);
    const proof = await proofOf(offer, {}, solanaSigner);
    const changed = JSON.parse(Buffer.from(proof, "base64").toString());
    for (const broken of [
      { ...changed, address: addressOf(treasury) },
      { ...changed, signature: "1".repeat(64) },
      { ...changed, signature: "0OIl" },
      { ...changed, address: "11111111111111111111111111111111", signature: "1".repeat(64) },
    ])
      expect((await signIn(shop, "store.usage", encodeSIWxHeader(broken))).status).toBe(402);
    expect((await signIn(shop, "store.usage", proof)).status).toBe(200);
  });

  it("WAL-58 signs in once with a nonce, however many try at once", async () => {
    const proof = await proofOf(await offerOf(shop, "store.usage"));
    const tried = await Promise.all(Array.from({ length: 8 }, () => signIn(shop, "store.usage", proof)));
    expect(tried.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(402)]);
    const again = await signIn(shop, "store.usage", proof);
    expect([again.status, await codeOf(again)]).toEqual([402, "SIGN_IN_REFUSED"]);
    expect(quoteOf(again).error).toContain("used before");
    expect(quoteOf(again).extensions).toHaveProperty("sign-in-with-x");
  });

  it("WAL-58 is asked to pay where its sign-in is for something else, too old, or made up", async () => {
    const usage = await offerOf(shop, "store.usage");
    const others: Record<string, string> = {
      "another path": await proofOf(await offerOf(shop, "store.export")),
      "another path, signed as ours": await proofOf(await offerOf(shop, "store.export"), { uri: urlOf("store.usage") }),
      "another host": await proofOf(usage, { domain: "evil.test", uri: "https://evil.test/api/store/usage" }),
      "another origin": await proofOf(usage, { uri: "https://shop.test:444/api/store/usage", domain: "shop.test:444" }),
      "own-form nonce": await proofOf(usage, { nonce: "0123456789abcdef0123456789abcdef" }),
      "another time": await proofOf(usage, { issuedAt: new Date(clock().getTime() + 1000).toISOString() }),
      "a longer life": await proofOf(usage, { expirationTime: new Date(clock().getTime() + 9e6).toISOString() }),
      "another version": await proofOf(usage, { nonce: usage?.info.nonce.toUpperCase() ?? "" }),
      "no base64": "%%%",
      "no JSON": Buffer.from("{").toString("base64"),
      deep: Buffer.from("[".repeat(12_000)).toString("base64"),
      long: "A".repeat(20_000),
    };
    const own = JSON.parse(Buffer.from(await proofOf(usage), "base64").toString());
    for (const [what, changes] of Object.entries<object>({
      "another address": { address: mallory.address },
      "another network": { chainId: "eip155:1" },
      "a prototype's name": { chainId: "__proto__" },
      "a network of nobody": { chainId: "toString" },
      "no signature": { signature: "0x" },
      "an endless signature": { signature: `0x${"00".repeat(5000)}` },
      "an array": { nonce: [own.nonce] },
    }))
      others[what] = encodeSIWxHeader({ ...own, ...changes });
    for (const [what, proof] of Object.entries(others)) {
      const response = await signIn(shop, "store.usage", proof);
      expect([what, response.status, await codeOf(response)]).toEqual([what, 402, "SIGN_IN_REFUSED"]);
    }
    const proof = await proofOf(usage);
    // Further ahead than the clocks of two instances may be apart.
    clock.advance(-190);
    expect((await signIn(shop, "store.usage", proof)).status).toBe(402);
    clock.advance(190 + 301);
    expect((await signIn(shop, "store.usage", proof)).status).toBe(402);
    clock.advance(-2);
    expect((await signIn(shop, "store.usage", proof)).status).toBe(200);
  });

  it("WAL-58 opens no other operation", async () => {
    const proof = async () => await proofOf(await offerOf(shop, "store.usage"));
    for (const { id, example } of owned.filter(({ wallet }) => !wallet?.signIn)) {
      const [plain, signed] = [await ask(wire(shop), id, example), await signIn(shop, id, await proof(), example)];
      // Where it cannot be sold at all it is no different either.
      expect([id, signed.status]).toEqual([id, plain.status]);
      expect([402, 400, 502], id).toContain(plain.status);
      if (plain.status === 402) expect(quoteOf(plain).extensions, id).not.toHaveProperty("sign-in-with-x");
    }
    const calls = [{ endpoint: "store.usage", params: {} }];
    expect((await signIn(shop, "batch.run", await proof(), { calls })).status).toBe(402);
  });

  it("WAL-58 writes nothing for what nobody pays or signs", async () => {
    const memory = createMemoryStore();
    const writes: string[] = [];
    const store: Store = {
      ...memory,
      put(key, ...rest) {
        writes.push(key);
        return memory.put(key, ...rest);
      },
      increment(key, ...rest) {
        writes.push(key);
        return memory.increment(key, ...rest);
      },
    };
    const shop = open({ store });
    const offer = await offerOf(shop, "store.usage");
    writes.length = 0;
    const forged = await proofOf(offer, { nonce: "0".repeat(32) });
    for (let i = 0; i < 50; i++) {
      expect((await ask(wire(shop), "store.usage")).status).toBe(402);
      expect((await signIn(shop, "store.usage", forged)).status).toBe(402);
    }
    expect(writes).toEqual([]);
    await signIn(shop, "store.usage", await proofOf(offer));
    expect(writes).toHaveLength(2);
  });

  it("WAL-58 writes nothing for wallets that have nothing here, and takes so many of one caller", async () => {
    const database = await openWallets({
      wallets: engine.options({ schema: "signed_in" }),
      resources: createResources(),
    });
    const shop = open({ wallets: engine.options({ schema: "signed_in" }), store: createMemoryStore() });
    const erased: number[] = [];
    for (let i = 0; i < 260; i++) {
      const signed = wrapFetchWithSIWx(wire(shop), privateKeyToAccount(generatePrivateKey()));
      erased.push((await ask(signed, "store.erase", { confirm: "erase everything" })).status);
    }
    expect([...new Set(erased)]).toEqual([200, 402]);
    expect(erased.filter((status) => status === 200)).toHaveLength(240);
    const { rows } = await database.query(
      "select (select count(*)::int from @wallets) as wallets, (select count(*)::int from @receipts) as receipts",
    );
    expect(rows).toEqual([{ wallets: 0, receipts: 0 }]);
    await database.close();
  });

  it("takes sixty an hour, and a payment after them", async () => {
    const signed = wrapFetchWithSIWx(wire(shop), privateKeyToAccount(generatePrivateKey()));
    for (let i = 0; i < 60; i++) expect((await ask(signed, "store.usage")).status).toBe(200);
    const over = await ask(signed, "store.usage");
    expect([over.status, quoteOf(over).error]).toEqual([402, expect.stringContaining("60")]);
    expect((await shop.buy("store.usage", {})).status).toBe(200);
  });

  it("judges the input first, and keeps the nonce for a better one", async () => {
    const proof = await proofOf(await offerOf(shop, "queue.stats", { queue: "q" }));
    expect((await signIn(shop, "queue.stats", proof, { queue: "" })).status).toBe(400);
    expect((await signIn(shop, "queue.stats", proof, { queue: "q" })).status).toBe(200);
  });

  it("is used where a client could pay as well, and a client without it pays", async () => {
    const settled = shop.facilitator.settled.length;
    const client = registerExactEvmScheme(new x402Client(), { signer: alice });
    const paying = wrapFetchWithPayment(wire(shop), client);
    expect(await bodyOf(await ask(paying, "store.usage"))).toMatchObject({ meta: { caller: "paid" } });
    client.registerExtension(createSIWxClientExtension({ signers: [alice] }));
    expect(await bodyOf(await ask(paying, "store.usage"))).toMatchObject({ meta: { caller: "free", costUsd: "0" } });
    expect(await bodyOf(await ask(paying, "store.kv-scan", { ns: "n" }))).toMatchObject({ meta: { caller: "paid" } });
    expect(shop.facilitator.settled).toHaveLength(settled + 2);
  });

  it("counts for nothing beside a payment or a trial, and more than credit", async () => {
    const proof = async () => ({ "sign-in-with-x": await proofOf(await offerOf(shop, "store.usage")) });
    const paid = await shop.payFor("store.usage", {}, { wallet: mallory });
    const beside = await shop.pay("store.usage", {}, paid, await proof());
    expect(await bodyOf(beside)).toMatchObject({ meta: { caller: "paid", payment: { payer: mallory.address } } });
    const tried = await ask(wire(shop), "store.usage", {}, { ...(await proof()), "x-svc-trial": "1" });
    expect(await bodyOf(tried)).toMatchObject({ meta: { caller: "trial" } });
    const credited = await ask(wire(shop), "store.usage", {}, { ...(await proof()), "x-svc-credit": "unknown" });
    expect(await bodyOf(credited)).toMatchObject({ meta: { caller: "free" } });
  });

  it("tells the host whose call it was", async () => {
    await ask(wrapFetchWithSIWx(wire(shop), alice), "store.usage");
    expect(events.at(-1)).toMatchObject({ outcome: "free", payer: alice.address, network: NETWORK, chargedUsd: "0" });
  });

  describe("as a contract", () => {
    const contract = "0x00000000000000000000000000000000000c0de5";
    /** A node whose contract takes what alice signed. */
    const node = (answer: string, asked: unknown[] = []) => {
      const facilitator = fakeFacilitator();
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if (!String(input).startsWith("https://node.test")) return facilitator.fetch(input, init);
        const { method, params } = JSON.parse(String(init?.body)) as { method: string; params: [{ to?: string }] };
        // Of the token it tells nothing.
        if (params[0]?.to?.toLowerCase() !== contract) return Response.json({ jsonrpc: "2.0", id: 1, error: {} });
        asked.push({ method, params });
        return Response.json({ jsonrpc: "2.0", id: 1, result: answer });
      };
      return fetch;
    };
    const payment = (rpc: Record<string, string> | false | undefined) => ({
      ...{ treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL } },
      ...(rpc === undefined ? {} : { rpc }),
    });
    const yes = `0x1626ba7e${"0".repeat(56)}`;
    const attempt = async (options: Parameters<typeof open>[0]) => {
      const shop = openAway(options);
      const signer = { address: contract, signMessage: alice.signMessage } as unknown as typeof alice;
      return signIn(shop, "store.usage", await proofOf(await offerOf(shop, "store.usage"), {}, signer));
    };

    it("WAL-58 counts where the host's own node says that it signed", async () => {
      const asked: unknown[] = [];
      const response = await attempt({
        wallets: engine.options(),
        payment: payment({ [NETWORK]: "https://node.test" }),
        fetch: node(yes, asked),
      });
      expect(await bodyOf(response)).toMatchObject({ data: { meta: { wallet: `${NETWORK}:${contract}` } } });
      expect(asked).toMatchObject([
        { method: "eth_call", params: [{ to: expect.stringMatching(/c0de5$/i) }, "latest"] },
      ]);
    });

    it("WAL-58 asks the node once with a nonce, and so often an hour for one caller, whatever is signed", async () => {
      const asked: unknown[] = [];
      const shop = openAway({ payment: payment({ [NETWORK]: "https://node.test" }), fetch: node("0x", asked) });
      const signer = { address: contract, signMessage: mallory.signMessage } as unknown as typeof alice;
      const attempt = async (offer: Offer | undefined) => signIn(shop, "store.usage", await proofOf(offer, {}, signer));
      const offer = await offerOf(shop, "store.usage");
      for (let i = 0; i < 20; i++) expect((await attempt(offer)).status).toBe(402);
      expect(asked).toHaveLength(1);
      for (let i = 0; i < 60; i++) expect((await attempt(await offerOf(shop, "store.usage"))).status).toBe(402);
      expect(asked.length).toBeLessThanOrEqual(30);
    });

    it("WAL-58 does not count where the node says otherwise, or the host names none", async () => {
      const named = payment({ [NETWORK]: "https://node.test" });
      // The last says back what it was asked, as the identity precompile does.
      for (const answer of ["0x", `0xffffffff${"0".repeat(56)}`, `0x1626ba7e${"ab".repeat(160)}`])
        expect((await attempt({ payment: named, fetch: node(answer) })).status).toBe(402);
      for (const rpc of [false, undefined] as const)
        expect((await attempt({ payment: payment(rpc), fetch: node(yes) })).status).toBe(402);
    });
  });

  it("is offered only at an address of the host's own, and only where the host wants it", async () => {
    const { baseUrl: _, ...unnamed } = brand;
    expect(await offerOf(openAway({ brand: unnamed }), "store.usage")).toBeUndefined();
    expect(await offerOf(openAway({ wallets: { db: awayPool, signIn: false } }), "store.usage")).toBeUndefined();
    expect(() => openAway({ brand: unnamed, wallets: { db: awayPool, signIn: true } })).toThrow("brand.baseUrl");
    const shop = openAway({ brand: { ...brand, baseUrl: `${ORIGIN}/prefix` } });
    const response = await shop.handle(
      new Request("http://internal:8080/api/store/usage", {
        method: "POST",
        headers: { host: "evil.test" },
        body: "{}",
      }),
    );
    expect(quoteOf(response).extensions?.["sign-in-with-x"]).toMatchObject({
      info: { domain: "shop.test", uri: `${ORIGIN}/prefix/api/store/usage` },
    });
    expect(response.headers.get("payment-required")?.length).toBeLessThan(4096);
    expect(await response.json()).toMatchObject({ extensions: { "sign-in-with-x": { schema: { type: "object" } } } });
  });
});
