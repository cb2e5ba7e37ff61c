import { describe, expect, it } from "vitest";
import { cryptoAddressScreen } from "../../../src/capabilities/crypto/address-screen.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const DAY = 24 * 3600;
const BOTH = "0x4F47Bc496083C727c5fbe3CE9CDf2B0f6496270c";
const LISTS: Record<string, string[]> = {
  ETH: ["0x05E0b5B40B7b66098C2161A5EE11C5740A3A7C45"],
  XBT: ["12VrYZgS1nmf9KHHped24xBb1aLLRpV2cT"],
  BCH: ["18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB", "qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq"],
  ARB: [BOTH.toLowerCase()],
  BSC: [BOTH],
};

/** All lists, short ones; `more` comes before them. */
function lists(...more: Exchange[]): Exchange[] {
  const own = Object.entries(LISTS).map(([ticker, body]) => ({ url: `_${ticker}.json`, body }));
  return [...more, ...own, { url: "sanctioned_addresses_", body: [] }];
}

const screen = (address: string, exchanges = lists()) =>
  cryptoAddressScreen({ address }, { fetch: fakeUpstream(exchanges).fetch, cache: false });

describe("crypto.address-screen", () => {
  it.each(["0x05e0b5b40b7b66098c2161a5ee11c5740a3a7c45", " 0X05E0B5B40B7B66098C2161A5EE11C5740A3A7C45"])(
    "finds %s whatever its case",
    async (address) => {
      const { items, meta } = await screen(address);
      expect(items[0]).toEqual({
        address: address.trim(),
        sanctioned: true,
        currencies: ["ETH"],
        matches: [{ currency: "ETH", address: LISTS.ETH?.[0], list: "OFAC SDN" }],
      });
      expect(meta).toEqual({ listSize: 6, lists: 17 });
    },
  );

  it("names every list that an address stands on", async () => {
    expect((await screen(BOTH)).items[0]).toMatchObject({ sanctioned: true, currencies: ["ARB", "BSC"] });
  });

  it("knows Bitcoin Cash with and without the coin's name", async () => {
    const address = "bitcoincash:qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq";
    expect((await screen(address)).items[0]).toMatchObject({ address, sanctioned: true, currencies: ["BCH"] });
  });

  it("clears an address that stands on none of the lists", async () => {
    const { items } = await screen("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045");
    expect(items[0]).toMatchObject({ sanctioned: false, currencies: [], matches: [] });
  });

  it("says which currencies have no list any more", async () => {
    const { items, meta } = await screen("0xd8dA6BF2", lists({ url: "_XVG.json", status: 404 }));
    expect(items[0]).toMatchObject({ sanctioned: false });
    expect(meta).toMatchObject({ lists: 16, missingLists: ["XVG"] });
  });

  it.each([
    ["a list could not be read", { url: "_DASH.json", status: 403 }],
    ["a list is no list", { url: "_DASH.json", body: { message: "moved" } }],
    ["the list of Ethereum is gone", { url: "_ETH.json", status: 404 }],
    ["the list of Bitcoin is empty", { url: "_XBT.json", body: [] }],
  ])("clears nobody while %s", async (_, exchange) => {
    await expect(screen("0xd8dA6BF2", lists(exchange))).rejects.toMatchObject({ status: 502 });
  });

  it("reports a hit all the same, and that not all lists were read", async () => {
    const { items, meta } = await screen(BOTH, lists({ url: "_DASH.json", status: 403 }));
    expect(items[0]).toMatchObject({ sanctioned: true });
    expect(meta).toMatchObject({ partial: true });
  });

  it("keeps the lists for a day, uses them for a week while the source is down, and says so", async () => {
    const clock = fakeClock();
    let down = false;
    const { fetch: up, seen } = fakeUpstream(lists());
    const fetch: typeof globalThis.fetch = (...args) =>
      down ? Promise.resolve(new Response("", { status: 403 })) : up(...args);
    const ask = () => cryptoAddressScreen({ address: "0xd8dA6BF2" }, { fetch, clock });
    await ask();
    await ask();
    expect(seen).toHaveLength(17);
    down = true;
    clock.advance(2 * DAY);
    expect((await ask()).meta).toMatchObject({ staleSeconds: 2 * DAY });
    clock.advance(6 * DAY);
    await expect(ask()).rejects.toMatchObject({ status: 502 });
  });
});
