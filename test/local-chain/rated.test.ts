/** A token priced by a rate, paid by the ecosystem's buyer and settled by its facilitator on a real chain. */
import { wrapFetchWithPayment } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { createClient } from "../../src/client/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { payerOf, wireTo } from "../support/client.js";
import { TREASURY } from "../support/wallets.js";

let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ chain });
});
afterAll(async () => {
  await facilitator?.stop();
  await chain?.stop();
});

it("is paid for in its own units, and given back in them", async () => {
  const [account, refunds] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
  await chain.mint(account.address, 1_000_000n);
  await chain.mint(refunds.address, 1_000_000n);
  const asset = { address: chain.usdc.address, name: "USD Coin", version: "2", rate: () => "1.08" };
  const handle = createHandler({
    capabilities: [convertUnit],
    trial: false,
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
      assets: { [chain.network]: asset },
      refunds: { [chain.network]: refunds },
    },
  });
  const wire = wireTo((request) => handle(request, {}));
  const { client: payer } = payerOf(account);
  const url = "http://shop.test/api/convert/unit?value=1&from=kg&to=lb";
  const response = await wrapFetchWithPayment(wire.fetch, payer)(url);
  expect(response.status).toBe(200);
  const { meta } = (await response.json()) as { meta: { requestId: string; payment: { amount: string } } };
  expect(meta.payment.amount).toBe("926");
  expect(await chain.balanceOf(account.address)).toBe(1_000_000n - 926n);
  await handle.refund({ requestId: meta.requestId });
  expect(await chain.balanceOf(account.address)).toBe(1_000_000n);
  expect((await handle.ledger({ by: [] })).total).toMatchObject({ settledUsd: "0.001", returnedUsd: "0.001" });
  // Limits of the client are in dollars.
  const client = createClient({ baseUrl: "http://shop.test", fetch: wire.fetch, pay: payer });
  await expect(client.convert.unit({ value: 1, from: "kg", to: "lb" })).rejects.toThrow("No offer is in dollars");
  // The account has the price once more since it was given back.
  const tokens = { [`${chain.network}/${asset.address}`]: { decimals: 6, usd: "1.08" } };
  const counting = createClient({ baseUrl: "http://shop.test", fetch: wire.fetch, pay: payer, tokens });
  await counting.convert.unit({ value: 1, from: "kg", to: "lb" });
  expect(await chain.balanceOf(account.address)).toBe(1_000_000n - 926n);
  await handle.close();
});
