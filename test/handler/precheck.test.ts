/** What a run refuses is refused before money moves, by a check of its own that no unpaid call needs. */
import { expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { CapabilityError } from "../../src/errors.js";
import { openShop } from "../support/shop.js";

const asked: string[] = [];
const gone = () => new CapabilityError("NOT_FOUND", "It is gone.");
const taking = defineCapability({
  id: "test.take",
  summary: "Takes what is there.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ gone: z.stringbool().default(false).describe("Whether it is gone") }),
  output: one(z.object({ taken: z.boolean() })),
  example: {},
  async precheck(input) {
    asked.push("precheck");
    if (input.gone) throw gone();
  },
  run(input) {
    asked.push("run");
    if (input.gone) throw gone();
    return { item: { taken: true } };
  },
});

it("a call that is bound to fail is refused before its money moves", async () => {
  const shop = openShop({ capabilities: [taking], trial: false });
  const query = "/test/take?gone=true";
  asked.length = 0;
  expect((await shop.pay(query, await shop.payFor(query))).status).toBe(404);
  expect([asked, shop.facilitator.settled]).toEqual([["precheck"], []]);
  await shop.handle.close();
});

it("a call in the process is refused by its run alone", async () => {
  asked.length = 0;
  await expect(taking({ gone: "true" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(asked).toEqual(["run"]);
});
