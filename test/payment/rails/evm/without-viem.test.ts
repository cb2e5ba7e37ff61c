/** A host that has not installed viem. */
import { privateKeyToAccount } from "viem/accounts";
import { expect, it, vi } from "vitest";
import { capabilities } from "../../../../src/capabilities/index.js";
import { createHandler } from "../../../../src/handler/handler.js";
import { silent } from "../../../../src/lib/logger.js";
import { createMemoryStore } from "../../../../src/stores/memory/memory.js";
import { fakeFacilitator } from "../../../support/facilitator.js";
import { TREASURY } from "../../../support/wallets.js";

vi.mock("../../../../src/lib/packages/installed.js", async (original) => {
  const real = await original<typeof import("../../../../src/lib/packages/installed.js")>();
  return { ...real, isInstalled: (name: string) => name !== "viem" && real.isInstalled(name) };
});
vi.mock("viem", () => {
  throw new Error("Cannot find package 'viem'");
});
vi.mock("viem/utils", () => {
  throw new Error("Cannot find package 'viem'");
});

const payment = {
  treasury: { "eip155:8453": TREASURY },
  facilitator: { url: "https://facilitator.test" },
  rpc: { "eip155:8453": "https://node.test" },
};
const open = (more: object) =>
  createHandler({
    ...{ capabilities, logger: silent, store: createMemoryStore(), fetch: fakeFacilitator().fetch },
    payment: { ...payment, ...more },
  });

it("quotes exact and upto, and says which of its endpoints want the package", async () => {
  const handle = open({ schemes: ["exact", "upto"] });
  const quote = await handle(new Request("https://shop.test/api/convert/unit?value=1&from=kg&to=lb"));
  expect(quote.status).toBe(402);
  const wanting = handle.directory().endpoints.filter(({ reason }) => reason?.includes("the package viem"));
  expect(wanting.map(({ id }) => id).sort()).toEqual(
    ["balances", "contract", "decode-calldata", "ens-resolve", "gas-oracle"].map((name) => `crypto.${name}`),
  );
  await handle.close();
});

it("has no channels, and says with which command it has", () => {
  const channels = { signer: privateKeyToAccount(`0x${"5".repeat(64)}`) };
  expect(() => open({ schemes: ["exact", "batch-settlement"], channels })).toThrow(
    new TypeError('payment.schemes: "batch-settlement" needs the package viem: npm install viem'),
  );
});
