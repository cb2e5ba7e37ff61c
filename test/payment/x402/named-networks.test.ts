import { domainSeparator } from "viem";
import { usdc } from "viem/tokens";
import { describe, expect, it } from "vitest";
import { EVM_NETWORKS } from "../../../src/payment/rails/evm/networks.js";
import { openShop } from "../../support/shop.js";
import { quoteOf, TREASURY } from "../../support/wallets.js";

/** DOMAIN_SEPARATOR() of each USDC contract, as others read it from its chain and published it. */
const SEPARATORS: Record<string, string> = {
  "eip155:8453": "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
  "eip155:84532": "0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818",
  "eip155:137": "0xcaa2ce1a5703ccbe253a34eb3166df60a705c561b44b192061e28f2a985be2ca",
  "eip155:42161": "0x08d11903f8419e68b1b8721bcbe2e9fc68569122a77ef18c216f10b3b5112c78",
  "eip155:43114": "0xbbea200329a938bc3438984a49cb0732e66d66d7bd59c127abacc1710e77f7b3",
  "eip155:10": "0x26d9c34bb1a1c312f69c53b2d93b8be20faafba63af2438c6811713c9b1f933f",
  "eip155:480": "0x936533d5f85622a8261854e20bb87f4e849dde486f429bc1fb66202b7cde09ec",
};

const facilitator = { url: "https://facilitator.test" };

describe("networks by name", () => {
  it("have the USDC of viem's table", () => {
    for (const [id, { asset }] of EVM_NETWORKS)
      expect(asset, id).toBe((usdc.addresses as Record<string, string>)[id.split(":")[1] ?? ""]);
  });

  it("sign under the domain that each contract names: one that is wrong, as World's was, sells nothing", () => {
    for (const [id, { asset, domain }] of EVM_NETWORKS) {
      const [, chainId = ""] = id.split(":");
      const whole = { ...domain, chainId: BigInt(chainId), verifyingContract: asset as `0x${string}` };
      expect(domainSeparator({ domain: whole }), id).toBe(SEPARATORS[id]);
    }
  });

  it.each([
    ["base", "eip155:8453"],
    ["polygon", "eip155:137"],
    ["arbitrum", "eip155:42161"],
    ["optimism", "eip155:10"],
    ["world", "eip155:480"],
    ["avalanche", "eip155:43114"],
  ])("%s is offered as %s, and buyers of version 1 know it", async (name, id) => {
    const shop = openShop({
      trial: false,
      payment: { treasury: { [name]: TREASURY }, facilitator, rpc: { [name]: "https://node.test" } },
    });
    const [offer] = quoteOf(await shop.get("/test/work?n=1")).accepts;
    expect(offer).toMatchObject({ network: id, payTo: TREASURY, asset: EVM_NETWORKS.get(id)?.asset });
    const old = await (await shop.get("/test/work?n=1&x402Version=1")).json();
    expect(old).toMatchObject({ accepts: [{ network: name }] });
  });

  it("are refused twice, and where nobody knows them", () => {
    const make = (treasury: Record<string, string>) => () => openShop({ payment: { treasury, facilitator } });
    expect(make({ base: TREASURY, "eip155:8453": TREASURY })).toThrow(
      'payment.treasury names eip155:8453 twice, once as "base"',
    );
    expect(make({ baze: TREASURY })).toThrow('payment.treasury: "baze" is not a CAIP-2');
  });
});
