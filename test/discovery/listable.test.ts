/** Whether catalogues of paid APIs can list every endpoint, however a host is paid and whatever else its 402s say. */
import { generateKeyPairSync } from "node:crypto";
import { validatePaymentRequiredDetailed } from "@agentcash/discovery";
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import { extractOffersFromPaymentRequired } from "@x402/extensions/offer-receipt";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { leanestBazaar } from "../../src/discovery/listing.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { encodeHeader } from "../../src/payment/x402/wire.js";
import type { SigningOptions } from "../../src/signing/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { awayPool } from "../support/away-pool.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const EVM = "eip155:8453";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const SOLANA_TREASURY = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const FEE_PAYER = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu";
const SETTLER = "0x4020000000000000000000000000000000000A11";

/** A real account, whose signatures all have one length: one signature stands for the thousands that are made here. */
const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const signature = `0x${"ab".repeat(65)}` as const;
const quick: SigningOptions["key"] = { ...account, signTypedData: async () => signature };
const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as SigningOptions["key"];

const facilitator = {
  supported: async () => ({
    kinds: [
      { x402Version: 2, scheme: "exact", network: EVM },
      { x402Version: 2, scheme: "upto", network: EVM, extra: { facilitatorAddress: SETTLER } },
      { x402Version: 2, scheme: "batch-settlement", network: EVM },
      { x402Version: 2, scheme: "exact", network: SOLANA, extra: { feePayer: FEE_PAYER } },
    ],
    extensions: ["eip2612GasSponsoring"],
    signers: {},
  }),
  verify: async () => ({ isValid: false, invalidReason: "a_long_reason_".repeat(100) }),
  settle: async () => ({ success: false, errorReason: "no", transaction: "", network: EVM }),
};

interface Way {
  rails: "evm" | "solana" | "both";
  channels: boolean;
  mpp: boolean;
  signing: "none" | "jwk" | "account";
  signIn: boolean;
}

const ways: Way[] = (["evm", "solana", "both"] as const)
  .flatMap(
    (rails) =>
      (rails === "solana" ? [false] : [false, true]).flatMap((channels) =>
        [false, true].flatMap((mpp) =>
          (["none", "jwk", "account"] as const).flatMap((signing) =>
            [false, true].map((signIn) => ({ rails, channels, mpp, signing, signIn })),
          ),
        ),
      ),
    // Sign-in adds the same to each: half of them stand with it, the other half without.
  )
  .filter(({ signIn }, at) => signIn === (Math.floor(at / 2) % 2 === 1));
const nameOf = ({ rails, channels, mpp, signing, signIn }: Way) =>
  [rails, channels && "channels", mpp && "MPP", signing !== "none" && `signed by ${signing}`, signIn && "sign-in"]
    .filter(Boolean)
    .join(", ");

const HOST = "https://api.a-service-of-some-company.example";

async function open({ rails, channels, mpp, signing, signIn }: Way): Promise<Handler> {
  const handle = createHandler({
    capabilities,
    payment: {
      treasury: {
        ...(rails === "solana" ? {} : { [EVM]: TREASURY }),
        ...(rails === "evm" ? {} : { [SOLANA]: SOLANA_TREASURY }),
      },
      facilitator,
      rpc: channels ? { [EVM]: "https://node.test" } : false,
      schemes: channels ? ["exact", "upto", "batch-settlement"] : ["exact"],
      ...(channels ? { channels: { signer: account, allowMemoryStore: true } } : {}),
      ...(mpp ? {} : { mpp: false as const }),
    },
    ...(signing === "none" ? {} : { signing: { key: signing === "jwk" ? jwk : quick } }),
    wallets: { db: awayPool, ...(signIn ? {} : { signIn: false }) },
    brand: {
      name: "A Service Of Some Company",
      slug: "some-company",
      tags: ["data", "utilities", "language models", "documents", "companies"],
      iconUrl: `${HOST}/icon.png`,
      ...(signIn ? { baseUrl: HOST } : {}),
    },
    secrets: Object.fromEntries(capabilities.flatMap(({ requires }) => requires).map((name) => [name, "set"])),
    store: createMemoryStore(),
    logger: silent,
  });
  // What the facilitator supports is read in the background.
  await new Promise(setImmediate);
  return handle;
}

/** The official validator compiles a schema each time; the same declaration is judged once. */
const judged = new Map<string, unknown>();
function verdictOn(declared: unknown): unknown {
  const key = JSON.stringify(declared);
  const verdict = judged.get(key) ?? [
    validateDiscoveryExtensionSpec(declared as never),
    validateDiscoveryExtension(declared as never),
  ];
  judged.set(key, verdict);
  return verdict;
}
const VALID = [{ valid: true }, { valid: true }];

/** As they go over the wire, which API Gateway takes up to 10,240 of. */
const bytesOf = (headers: Headers) =>
  [...headers].reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0);

function assertListable(response: Response, capability: AnyCapability): void {
  const { id } = capability;
  expect([id, response.status]).toEqual([id, 402]);
  const quote = quoteOf(response);
  const { bazaar, ...others } = quote.extensions ?? {};
  expect([id, validatePaymentRequiredDetailed(quote).issues]).toEqual([id, []]);
  expect([id, verdictOn(bazaar)]).toEqual([id, VALID]);
  const length = response.headers.get("payment-required")?.length ?? 0;
  expect(length, id).toBeLessThan(7168);
  expect(bytesOf(response.headers), id).toBeLessThan(10_000);
  if (length < 4096) return;
  // Above 4,096 bytes nothing is told that could be left out.
  const leanest = encodeHeader({ ...quote, extensions: { ...leanestBazaar(capability), ...others } });
  // A prepared text has blanks between its parts.
  expect(length - leanest.length, id).toBeLessThan(24);
}

const ask = (handle: Handler, { path, method }: AnyCapability, query = "") =>
  handle(new Request(`${HOST}${path}${query}`, { method }));

/** A call that is complete but for the payment, which names what is offered and is worth nothing. */
function payBadly(handle: Handler, { path, method, example }: AnyCapability, accepted: object, query: string) {
  const payment = toHeader({ x402Version: 2, accepted, payload: { signature: "0x", authorization: {} } });
  const url = new URL(`${HOST}${path}?${query}`);
  const headers = { "payment-signature": payment, "content-type": "application/json" };
  if (method === "POST") return handle(new Request(url, { method, headers, body: JSON.stringify(example) }));
  for (const [name, value] of Object.entries(example)) url.searchParams.append(name, String(value));
  return handle(new Request(url, { headers }));
}

beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterAll(() => vi.restoreAllMocks());

describe("every endpoint can be listed", () => {
  it.each(ways.map((way) => [nameOf(way), way] as const))("of a host with %s", async (_, way) => {
    const handle = await open(way);
    const withoutOffers: string[] = [];
    for (const capability of capabilities) {
      const response = await ask(handle, capability);
      assertListable(response, capability);
      const quote = quoteOf(response);
      const offers = extractOffersFromPaymentRequired(quote as never);
      // Where both cannot be, the body has the offers.
      if (way.signing !== "none" && offers.length === 0)
        expect(await response.json()).toMatchObject({ extensions: { "offer-receipt": { info: {} } } });
      // Offers give way to the declaration of an endpoint that takes much to call.
      if (way.signing !== "none" && way.rails !== "both" && offers.length === 0) withoutOffers.push(capability.id);
      else if (way.signing !== "none" && way.rails !== "both") expect(offers.length).toBe(quote.accepts.length);
    }
    expect(withoutOffers).toEqual([]);
    await handle.close();
  });

  it.each(
    ways.filter(({ mpp, signIn, channels }) => mpp && signIn && channels).map((way) => [nameOf(way), way] as const),
  )("by who was refused and by long addresses, of a host with %s", async (_, way) => {
    const handle = await open(way);
    const signed = way.signing === "none" ? "" : "sign=1";
    let refused = 0;
    for (const capability of capabilities) {
      const long = await ask(handle, capability, `?x402Version=2&sign=1&trial=${"1".repeat(200)}`);
      if (long.status !== 400) assertListable(long, capability);
      const [accepted] = quoteOf(await ask(handle, capability)).accepts;
      const response = await payBadly(handle, capability, { ...accepted }, signed);
      // Some ask a model's price first, which nobody answers here.
      if (response.status >= 500) continue;
      assertListable(response, capability);
      expect(quoteOf(response).error).toMatch(/payment/i);
      refused++;
    }
    expect(refused).toBeGreaterThan(100);
    await handle.close();
  });
});
