import { describe, expect, it } from "vitest";
import { cryptoPerpvenueFunding, cryptoPerpvenuePredictedFunding } from "../../src/capabilities/crypto/index.js";
import { createHandler, renamed } from "../../src/index.js";
import { fakeUpstream } from "../support/upstream.js";

describe("renamed", () => {
  it("mounts a capability under a name of the host's own, and under that alone", async () => {
    const { fetch } = fakeUpstream([
      {
        url: "hyperliquid",
        body: [["BTC", [["HlPerp", { fundingRate: "0.00001", nextFundingTime: 1_733_958_000_000 }]]]],
      },
    ]);
    const handle = createHandler({
      capabilities: [renamed(cryptoPerpvenuePredictedFunding, "crypto.hyperliquid-predicted-funding")],
      payment: false,
      fetch,
    });
    const answer = await handle(new Request("http://x/api/crypto/hyperliquid-predicted-funding?coin=btc"));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      data: { items: [{ coin: "BTC" }] },
      meta: { endpoint: "crypto.hyperliquid-predicted-funding" },
    });
    expect((await handle(new Request("http://x/api/crypto/perpvenue-predicted-funding"))).status).toBe(404);
    const { items } = await handle.call("crypto.hyperliquid-predicted-funding", { coin: "btc" });
    expect(items).toHaveLength(1);
    expect(handle.directory().endpoints.map(({ path }: { path: string }) => path)).toEqual([
      "/api/crypto/hyperliquid-predicted-funding",
    ]);
    await handle.close();
  });

  it("leaves the original and its other facts as they are", () => {
    const copy = renamed(cryptoPerpvenueFunding, "perps.funding");
    expect({ id: copy.id, group: copy.group, path: copy.path }).toEqual({
      id: "perps.funding",
      group: "perps",
      path: "/api/perps/funding",
    });
    expect(copy.input).toBe(cryptoPerpvenueFunding.input);
    expect(copy.price).toEqual(cryptoPerpvenueFunding.price);
    expect(cryptoPerpvenueFunding.id).toBe("crypto.perpvenue-funding");
  });

  it.each(["crypto", "crypto.", "Crypto.coin", "crypto.a.b", "crypto.a/b"])("refuses the id %s", (id) => {
    expect(() => renamed(cryptoPerpvenueFunding, id)).toThrow(TypeError);
  });
});
