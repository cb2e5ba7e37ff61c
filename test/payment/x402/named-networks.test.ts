import { usdc } from "viem/tokens";
import { describe, expect, it } from "vitest";
import { EVM_NETWORKS } from "../../../src/payment/rails/evm/networks.js";
import { openShop } from "../../support/shop.js";
import { quoteOf, TREASURY } from "../../support/wallets.js";

const facilitator = { url: "https://facilitator.test" };

describe("networks by name", () => {
  it("have the USDC of viem's table", () => {
    for (const [id, { asset }] of EVM_NETWORKS)
      expect(asset, id).toBe((usdc.addresses as Record<string, string>)[id.split(":")[1] ?? ""]);
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
