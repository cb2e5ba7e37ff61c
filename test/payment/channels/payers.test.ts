/** Whose wallet a voucher speaks for: anybody may open a channel in anybody's name, and signs its vouchers then. */
import "../../support/typescript-workers.js";
import { rm } from "node:fs/promises";
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import {
  storeErase,
  storeExport,
  storeKvGet,
  storeKvIncrement,
  storeKvPut,
} from "../../../src/capabilities/store/index.js";
import type { PaymentRequirements } from "../../../src/payment/x402/wire.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import {
  type ChannelShop,
  type ChannelShopOptions,
  craft,
  openChannelShop,
  receiptOf,
  WORK,
} from "../../support/channel-shop.js";
import { freshFolder } from "../../support/fresh-folder.js";
import { quoteOf } from "../../support/wallets.js";

const ORIGIN = "http://shop.test";
const API = `${ORIGIN}/api`;
const GET = `${API}/store/kv-get`;
const PUT = `${API}/store/kv-put`;
const SECRET = { ns: "notes", key: "secret" };
let chain: ChannelChain;
let dataDir = "";
const shops: ChannelShop[] = [];
beforeEach(() => {
  chain.asked.length = 0;
});
beforeAll(async () => {
  [chain, dataDir] = await Promise.all([startChannelChain(), freshFolder()]);
});
afterEach(async () => {
  for (const { handle } of shops.splice(0)) await handle.close();
});
afterAll(async () => {
  await chain.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(options: ChannelShopOptions = {}) {
  const more = [storeKvIncrement, storeKvGet, storeKvPut, storeExport, storeErase, batchRun];
  const brand = { name: "Shop", slug: "svc", baseUrl: ORIGIN };
  const shop = openChannelShop(chain, { more, wallets: { dataDir }, brand, ...options });
  shops.push(shop);
  const post = (url: string, input: object, headers: Record<string, string> = {}) =>
    shop.fetch(url, { method: "POST", body: JSON.stringify(input), headers });
  await post(GET, {});
  return { shop, post };
}
type Open = Awaited<ReturnType<typeof open>>;

const newAccount = () => privateKeyToAccount(generatePrivateKey());
const walletOf = ({ address }: { address: string }) => `${chain.network}:${address.toLowerCase()}`;
const put = (shop: ChannelShop, wallet: string, value: unknown) =>
  shop.handle.call("store.kv-put" as never, { ...SECRET, value } as never, { wallet });
async function secretOf(shop: ChannelShop, wallet: string) {
  const found = await shop.handle.call("store.kv-get" as never, SECRET as never, { wallet });
  return (found as { items: { value: unknown }[] }).items[0]?.value;
}

/** Pays with vouchers of a channel that names `payer`, signed by `signer`, each for what comes next. */
function speaker({ post }: Open, payer: string, signer: PrivateKeyAccount) {
  let charged = 0n;
  const config = { payer: payer as `0x${string}`, payerAuthorizer: signer.address };
  const voucherFor = async (url: string, input: object, payload = {}) => {
    const offer = offered(await post(url, input));
    const made = await craft(offer, signer, charged + BigInt(offer.amount), { signer, config, payload });
    return { ...made, offer };
  };
  return {
    voucherFor,
    config: async () => (await voucherFor(GET, SECRET)).payload.channelConfig,
    async send(url: string, input: object, headers: Record<string, string> = {}, payload = {}) {
      const { header } = await voucherFor(url, input, payload);
      const response = await post(url, input, { "payment-signature": header, ...headers });
      if (response.status === 200)
        charged = BigInt(String(receiptOf(response).extra.channelState.chargedCumulativeAmount));
      return response;
    },
  };
}

function offered(response: Response): PaymentRequirements {
  const offer = quoteOf(response).accepts.find(({ scheme }) => scheme === "batch-settlement");
  if (!offer) throw new Error("no channel is offered");
  return offer;
}

async function codeOf(response: Response) {
  expect(response.status).toBe(402);
  const { extensions } = (await response.json()) as { extensions: { code: string } };
  return extensions.code;
}

/** A proof that an account was there, of the offer in a 402. */
async function signInTo(response: Response, account: PrivateKeyAccount): Promise<string> {
  const offer = quoteOf(response).extensions?.["sign-in-with-x"] as {
    info: { domain: string };
    supportedChains: object[];
  };
  const info = { ...offer.info, ...offer.supportedChains[0] } as Parameters<typeof createSIWxPayload>[0];
  return encodeSIWxHeader(await createSIWxPayload(info, account, `http://${offer.info.domain}`));
}

describe("ATK-1 a channel that a stranger opened in a victim's name", () => {
  /** A victim that keeps a secret, and a stranger whose own money lies in a channel of the victim's name. */
  async function attacked(options: ChannelShopOptions = {}) {
    const opened = await open(options);
    const [victim, stranger] = [newAccount(), newAccount()];
    await put(opened.shop, walletOf(victim), "the victim's");
    const speaks = speaker(opened, victim.address, stranger);
    await chain.depositAs(stranger, await speaks.config(), 1_000_000n);
    return { ...opened, victim, stranger, speaks };
  }

  it("neither reads nor writes the victim's state, alone or in a batch, before and after a call of another kind", async () => {
    const { shop, victim, stranger, speaks } = await attacked();
    const state = [
      [GET, SECRET],
      [PUT, { ...SECRET, value: "the stranger's" }],
      [`${API}/store/export`, {}],
      [`${API}/store/erase`, { confirm: "erase everything" }],
      [`${API}/batch/run`, { calls: [{ endpoint: "store.kv-get", params: SECRET }] }],
    ] as const;
    for (const round of [1, 2]) {
      for (const [url, input] of state) {
        const refused = await speaks.send(url, input);
        expect(quoteOf(refused).accepts.map(({ scheme }) => scheme)).toEqual(["exact"]);
        expect(await codeOf(refused), `${url} ${round}`).toBe("WALLET_UNPROVEN");
      }
      // Everything else is sold as ever, to who signed for it.
      const served = await shop.fetch(`${WORK}?n=${round}`, {
        headers: { "payment-signature": (await workVoucher(shop, speaks, stranger, BigInt(round) * 1000n)).header },
      });
      expect(served.status).toBe(200);
      expect(receiptOf(served)).toMatchObject({ payer: stranger.address.toLowerCase() });
      const { meta } = (await served.json()) as { meta: { payment: { payer: string } } };
      expect(meta.payment.payer).toBe(stranger.address.toLowerCase());
    }
    expect(await secretOf(shop, walletOf(victim))).toBe("the victim's");
    const paid = shop.events.filter((event) => event.kind === "call" && event.caller === "paid");
    expect(paid.map(({ payer }) => payer)).toEqual([1, 2].map(() => stranger.address.toLowerCase()));
    const told = JSON.stringify(await shop.handle.ledger());
    expect(told).toContain(stranger.address.toLowerCase());
    expect(told).not.toContain(victim.address.toLowerCase());
    expect(shop.events.some(({ payer }) => payer === victim.address.toLowerCase())).toBe(false);
  });

  it("is not believed for a deposit with a signature that nobody can judge, although the balance is there", async () => {
    const opened = await open();
    const stranger = newAccount();
    const wallet = await chain.contractWallet("SmartWallet", newAccount().address);
    await put(opened.shop, walletOf({ address: wallet }), "the victim's");
    const speaks = speaker(opened, wallet, stranger);
    const config = await speaks.config();
    await chain.depositAs(stranger, config, 1_000_000n);
    const erc3009Authorization = {
      validAfter: "0",
      validBefore: String(Math.floor(Date.now() / 1000) + 3600),
      salt: "7",
      signature: `0x01${"12".repeat(65)}`,
    };
    const deposit = { amount: "1000000", authorization: { erc3009Authorization } };
    const refused = await speaks.send(GET, SECRET, {}, { type: "deposit", deposit });
    expect(await codeOf(refused)).toBe("WALLET_UNPROVEN");
  });

  it("is served what the payer signs in for, once, and nothing for a stranger's sign-in", async () => {
    const { shop, post, victim, stranger, speaks } = await attacked();
    const first = await speaks.send(GET, SECRET);
    const proof = await signInTo(first, victim);
    const { header } = await speaks.voucherFor(GET, SECRET);
    const served = await speaks.send(GET, SECRET, { "sign-in-with-x": proof });
    expect(served.status).toBe(200);
    expect(await served.text()).toContain("the victim's");
    expect(shop.events.at(-1)).toMatchObject({ outcome: "paid", payer: victim.address.toLowerCase() });
    // The same voucher, without the payer: what it bought is not for whoever signs its vouchers alone.
    expect(await codeOf(await post(GET, SECRET, { "payment-signature": header }))).toBe("WALLET_UNPROVEN");
    for (const used of [proof, await signInTo(await speaks.send(GET, SECRET), stranger)])
      expect(["SIGN_IN_REFUSED", "WALLET_UNPROVEN"]).toContain(
        await codeOf(await speaks.send(GET, SECRET, { "sign-in-with-x": used })),
      );
    expect(await codeOf(await speaks.send(GET, SECRET))).toBe("WALLET_UNPROVEN");
  });

  it("is not made the victim's by a record of an earlier release", async () => {
    const { shop, speaks, stranger } = await attacked();
    const { header } = await workVoucher(shop, speaks, stranger, 1000n);
    expect((await shop.fetch(`${WORK}?n=1`, { headers: { "payment-signature": header } })).status).toBe(200);
    const id = (await speaks.voucherFor(GET, SECRET)).payload.voucher.channelId;
    const key = `channel:${chain.network}:${id}`;
    const found = await shop.store.get(key);
    const { terms, ...record } = JSON.parse(found?.value ?? "{}");
    const { authorizer: _, ...older } = terms;
    await shop.store.put(key, JSON.stringify({ ...record, terms: older }), {
      ifVersion: found?.version ?? 0,
      ttlMs: 1e9,
    });
    const again = await open({ store: shop.store });
    const { header: next } = await workVoucher(again.shop, speaks, stranger, 2000n);
    expect((await again.shop.fetch(`${WORK}?n=2`, { headers: { "payment-signature": next } })).status).toBe(200);
    expect(
      await codeOf(
        await again.post(GET, SECRET, { "payment-signature": (await stateVoucher(again, speaks, stranger)).header }),
      ),
    ).toBe("WALLET_UNPROVEN");
    expect(again.shop.events.at(-1)).toMatchObject({ payer: stranger.address.toLowerCase() });
  });
});

const workVoucher = async (
  shop: ChannelShop,
  speaks: ReturnType<typeof speaker>,
  signer: PrivateKeyAccount,
  ceiling: bigint,
) => craft(offered(await shop.fetch(`${WORK}?n=1`)), signer, ceiling, { signer, config: await speaks.config() });

async function stateVoucher({ post }: Open, speaks: ReturnType<typeof speaker>, signer: PrivateKeyAccount) {
  const offer = offered(await post(GET, SECRET));
  return craft(offer, signer, 2000n + BigInt(offer.amount), { signer, config: await speaks.config() });
}

describe("a payer that lets another key sign its vouchers", () => {
  it("is proven by the deposit that it signed, here, on another instance and after others came to the channel", async () => {
    const { shop } = await open();
    const [payer, key] = [newAccount(), newAccount()];
    await chain.mint(payer.address, 5_000_000n);
    await put(shop, walletOf(payer), "mine");
    const buyer = await chain.buyer(shop.fetch, { account: payer, voucherSigner: key });
    const body = { method: "POST", body: JSON.stringify(SECRET) };
    const first = await buyer.fetch(GET, body);
    expect(first.status).toBe(200);
    expect(await first.text()).toContain("mine");
    expect(shop.events.at(-1)).toMatchObject({ payer: payer.address.toLowerCase() });
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    expect((await buyer.fetch(GET, body)).status).toBe(200);
    await shop.handle.close();
    const next = await open({ store: shop.store });
    const restarted = await chain.buyer(next.shop.fetch, { account: payer, voucherSigner: key });
    expect((await restarted.fetch(GET, body)).status).toBe(200);
    expect(chain.asked.filter((asked) => asked === "settle deposit")).toHaveLength(1);
    const told = JSON.stringify(await next.shop.handle.ledger());
    expect(told).toContain(payer.address.toLowerCase());
    expect(told).not.toContain(key.address.toLowerCase());
  });

  it.each(["SmartWallet", "OwnedWallet"] as const)(
    "is proven as a contract (%s) by its word for the deposit",
    async (kind) => {
      const { shop } = await open();
      const [owner, key] = [newAccount(), newAccount()];
      const wallet = await chain.contractWallet(kind, owner.address);
      await chain.mint(wallet, 5_000_000n);
      await put(shop, walletOf({ address: wallet }), "the contract's");
      const account = {
        ...owner,
        address: wallet,
        async signTypedData(data: never) {
          const signature = await owner.signTypedData(data);
          return kind === "OwnedWallet" ? signature : `0x01${signature.slice(2)}`;
        },
      } as unknown as PrivateKeyAccount;
      const buyer = await chain.buyer(shop.fetch, { account, voucherSigner: key });
      const body = { method: "POST", body: JSON.stringify(SECRET) };
      for (let i = 0; i < 2; i++) {
        const response = await buyer.fetch(GET, body);
        expect(response.status).toBe(200);
        expect(await response.text()).toContain("the contract's");
      }
      expect(shop.events.at(-1)).toMatchObject({ payer: wallet.toLowerCase() });
    },
  );
});
