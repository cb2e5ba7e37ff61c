/** What the tests of channels begin and end with: a chain for the file, shops for each test. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type ChannelChain, startChannelChain } from "./channel-chain.js";
import { type ChannelShop, type ChannelShopOptions, openChannelShop, WORK } from "./channel-shop.js";

let treasuries = 0;

/** An account of its own, so that what other shops swept is not a shop's business. */
export const newTreasury = (): `0x${string}` => `0x${(++treasuries).toString(16).padStart(40, "7e")}`;

export interface ChannelTests {
  /** Opens a shop on the file's chain, which closes after the test; it has been asked once, so that it knows its facilitator. */
  open(options?: ChannelShopOptions): Promise<ChannelShop>;
  /** The same, and it has not been asked yet. */
  openUnasked(options?: ChannelShopOptions): ChannelShop;
}

/** Starts a chain before the tests of a file and hands it over; before each test it has no faults and has been asked nothing. */
export function onChannelChain(use: (chain: ChannelChain) => void): ChannelTests {
  const shops: ChannelShop[] = [];
  let chain: ChannelChain;
  beforeAll(async () => {
    chain = await startChannelChain();
    use(chain);
  });
  beforeEach(() => {
    chain.asked.length = 0;
    chain.sent.length = 0;
    chain.faults.clear();
  });
  afterEach(async () => {
    for (const { handle } of shops.splice(0)) await handle.close();
  });
  afterAll(() => chain.stop());

  function openUnasked(options?: ChannelShopOptions): ChannelShop {
    const shop = openChannelShop(chain, options);
    shops.push(shop);
    return shop;
  }
  return {
    openUnasked,
    async open(options) {
      const shop = openUnasked(options);
      await shop.fetch(WORK);
      return shop;
    },
  };
}
