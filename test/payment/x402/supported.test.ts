import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { familyOf, sameAccount } from "../../../src/payment/networks/accounts.js";
import { needsSupported } from "../../../src/payment/networks/rails.js";
import { createFacilitatorClient } from "../../../src/payment/x402/facilitator.js";
import { type Supported, watchSupported } from "../../../src/payment/x402/supported.js";
import { addressOf, feePayer, SOLANA, stranger, treasury } from "../../support/solana.js";

const [FIRST, SECOND, THIRD] = [addressOf(feePayer), addressOf(stranger), addressOf(treasury)];
const DAY_MS = 24 * 3600 * 1000;
const URL = "https://facilitator.test/";

const kind = (network: string, extra?: object, scheme = "exact", x402Version = 2) => ({
  x402Version,
  scheme,
  network,
  ...(extra ? { extra } : {}),
});
const listing = (address: string, signers?: string[]) => ({
  kinds: [kind("eip155:8453"), kind(SOLANA, { feePayer: address })],
  extensions: [],
  signers: signers ? { "solana:*": signers } : {},
});

type Reply = object | (() => Response | Promise<Response>);
let watched: Supported | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  watched?.stop();
  vi.useRealTimers();
});

/** Watches a facilitator that gives these answers, the last one for ever. */
function watch(...replies: Reply[]) {
  const asked: { url: string; init: RequestInit | undefined; at: number }[] = [];
  const warnings: object[] = [];
  const start = Date.now();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), init, at: Date.now() - start });
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
    return typeof reply === "function" ? reply() : Response.json(reply);
  };
  const logger = { debug() {}, info() {}, error() {}, warn: (facts: object) => void warnings.push(facts) };
  const facilitator = createFacilitatorClient({ url: URL }, { fetch, sameAccount, logger });
  watched = watchSupported({ facilitator, familyOf, now: () => Date.now(), logger });
  return { supported: watched, asked, warnings, replies };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("what the facilitator supports", () => {
  it("is asked at once, without anybody waiting, and then every five minutes", async () => {
    const { supported, asked } = watch(listing(FIRST));
    expect(supported.account("exact", SOLANA)).toBeUndefined();
    expect(supported.lists("exact", SOLANA)).toBe(false);
    await pass(0);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
    expect(supported.lists("exact", SOLANA)).toBe(true);
    expect(supported.lists("upto", SOLANA)).toBe(false);
    await pass(10 * 60_000);
    expect(asked.map(({ at }) => at)).toEqual([0, 300_000, 600_000]);
    expect(asked[0]).toMatchObject({ url: "https://facilitator.test/supported", init: { redirect: "manual" } });
    expect(asked[0]?.init?.method ?? "GET").toBe("GET");
  });

  it("is asked no more once it was stopped", async () => {
    const { supported, asked } = watch(listing(FIRST));
    await pass(0);
    supported.stop();
    await pass(DAY_MS);
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is kept while the facilitator cannot be reached, which is tried again at growing intervals", async () => {
    const down = () => Promise.reject(new TypeError("fetch failed"));
    const { supported, asked, warnings } = watch(listing(FIRST), down);
    await pass(300_000 + 1000 + 2000 + 4000);
    expect(asked.map(({ at }) => at)).toEqual([0, 300_000, 301_000, 303_000, 307_000]);
    expect(warnings).toHaveLength(4);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
    await pass(DAY_MS);
    const [before, last] = asked.slice(-2).map(({ at }) => at);
    expect((last ?? 0) - (before ?? 0)).toBe(60_000);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
  });

  it.each<[string, Reply]>([
    ["HTML", () => new Response("<html>")],
    ["no kinds", {}],
    ["kinds of another shape", { kinds: "all" }],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } })],
    ["an endless body", () => new Response("[".repeat(100_000))],
    ["status 500", () => Response.json(listing(SECOND), { status: 500 })],
  ])("is not learned from %s", async (_, nonsense) => {
    const { supported, asked } = watch(nonsense, listing(FIRST));
    await pass(0);
    expect(supported.account("exact", SOLANA)).toBeUndefined();
    await pass(1000);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
    expect(asked).toHaveLength(2);
  });

  it("is not asked again before the facilitator wants it, within reason", async () => {
    const busy = (seconds: string) => () =>
      new Response("slow down", { status: 429, headers: { "retry-after": seconds } });
    const { asked } = watch(busy("90"), busy("999999"), busy("soon"), listing(FIRST));
    await pass(3600_000);
    expect(asked.slice(0, 4).map(({ at }) => at)).toEqual([0, 90_000, 690_000, 694_000]);
  });
});

describe("the fee payer", () => {
  it("stays the same as long as it is listed, whichever one an answer names", async () => {
    const { supported } = watch(listing(FIRST, [FIRST, SECOND]), listing(SECOND, [FIRST, SECOND]));
    await pass(300_000);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
    expect(supported.accepts("exact", SOLANA, SECOND)).toBe(true);
    expect(supported.accepts("exact", SOLANA, THIRD)).toBe(false);
    expect(supported.accepts("exact", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", FIRST)).toBe(false);
  });

  it("is another one once it is not, and payments that name the former are still taken for a day", async () => {
    const { supported } = watch(listing(FIRST, [FIRST]), listing(SECOND, [SECOND]));
    await pass(300_000);
    expect(supported.account("exact", SOLANA)).toBe(SECOND);
    expect(supported.accepts("exact", SOLANA, FIRST)).toBe(true);
    await pass(DAY_MS);
    expect(supported.accepts("exact", SOLANA, FIRST)).toBe(false);
  });

  it("is unknown where the network is not listed any more, and comes back with it", async () => {
    const gone = { kinds: [kind("eip155:8453")], signers: { "solana:*": [FIRST] } };
    const { supported } = watch(listing(FIRST), gone, listing(FIRST));
    await pass(300_000);
    expect(supported.account("exact", SOLANA)).toBeUndefined();
    expect(supported.lists("exact", SOLANA)).toBe(false);
    expect(supported.accepts("exact", SOLANA, FIRST)).toBe(true);
    await pass(300_000);
    expect(supported.account("exact", SOLANA)).toBe(FIRST);
  });

  it.each([
    ["of version 1 only", [kind(SOLANA, { feePayer: FIRST }, "exact", 1)]],
    ["of another scheme", [kind(SOLANA, { feePayer: FIRST }, "upto")]],
    ["that is no address", [kind(SOLANA, { feePayer: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" })]],
    ["that is no text", [kind(SOLANA, { feePayer: 5 })]],
    ["that is missing", [kind(SOLANA)]],
  ])("is not one %s", async (_, kinds) => {
    const { supported } = watch({ kinds, signers: null });
    await pass(0);
    expect(supported.account("exact", SOLANA)).toBeUndefined();
  });

  it("comes from a facilitator in the host's own process too, however it fails", async () => {
    let calls = 0;
    const facilitator = createFacilitatorClient(
      {
        supported() {
          if (++calls === 1) throw new Error("not yet");
          return calls === 2 ? new Promise(() => {}) : Promise.resolve(listing(FIRST));
        },
        verify: async () => ({}),
        settle: async () => ({}),
      },
      { fetch: globalThis.fetch, sameAccount, logger: { debug() {}, info() {}, warn() {}, error() {} } },
    );
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    watched = watchSupported({ facilitator, familyOf, now: () => Date.now(), logger });
    await pass(1000 + 10_000 + 2000);
    expect(watched.account("exact", SOLANA)).toBe(FIRST);
    expect(calls).toBe(3);
  });

  it("need not be asked for where the host names it, or takes no payments on Solana", () => {
    expect(needsSupported({ treasury: { [SOLANA]: THIRD } })).toBe(true);
    expect(needsSupported({ treasury: { [SOLANA]: THIRD }, feePayers: { [SOLANA]: FIRST } })).toBe(false);
    expect(needsSupported({ treasury: { "eip155:8453": "0x" } })).toBe(false);
  });
});

describe("the account that settles upto payments", () => {
  const BASE = "eip155:8453";
  const [ONE, TWO] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  const upto = (facilitatorAddress: unknown, signers: string[] = []) => ({
    kinds: [kind(BASE), kind(BASE, { facilitatorAddress }, "upto")],
    extensions: ["eip2612GasSponsoring"],
    signers: { "eip155:*": signers },
  });

  it("stays the same as long as it is listed, and the former is taken for a day", async () => {
    const { supported } = watch(upto(ONE), upto(TWO, [ONE, TWO]), upto(TWO, [TWO]));
    await pass(0);
    expect([supported.account("upto", BASE), supported.lists("upto", BASE)]).toEqual([ONE, true]);
    expect(supported.account("exact", BASE)).toBeUndefined();
    await pass(5 * 60_000);
    expect(supported.account("upto", BASE)).toBe(ONE);
    await pass(5 * 60_000);
    expect(supported.account("upto", BASE)).toBe(TWO);
    expect(supported.accepts("upto", BASE, ONE)).toBe(true);
    await pass(DAY_MS);
    expect(supported.accepts("upto", BASE, ONE)).toBe(false);
  });

  it.each([THIRD, "0x12", 7, undefined])("is unknown where the answer says %j", async (address) => {
    const { supported } = watch(upto(address));
    await pass(0);
    expect(supported.account("upto", BASE)).toBeUndefined();
  });

  it("is asked for where the host turns the scheme on and takes payments on an EVM network", () => {
    expect(needsSupported({ treasury: { [BASE]: ONE }, schemes: ["exact", "upto"] })).toBe(true);
    expect(needsSupported({ treasury: { [BASE]: ONE }, schemes: ["exact"] })).toBe(false);
    const solana = { treasury: { [SOLANA]: THIRD }, feePayers: { [SOLANA]: FIRST } };
    expect(needsSupported({ ...solana, schemes: ["exact", "upto"] })).toBe(false);
  });

  it("comes with the extensions that the facilitator knows", async () => {
    const { supported, replies } = watch(upto(ONE), { ...upto(ONE), extensions: null });
    expect(supported.extendsBy("eip2612GasSponsoring")).toBe(false);
    await pass(0);
    expect(supported.extendsBy("eip2612GasSponsoring")).toBe(true);
    expect(supported.extendsBy("bazaar")).toBe(false);
    await pass(5 * 60_000);
    expect(supported.extendsBy("eip2612GasSponsoring")).toBe(false);
    expect(replies).toHaveLength(1);
  });
});
