import { extractDiscoveryInfo } from "@x402/extensions/bazaar";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { brand, everything } from "../support/everything.js";
import { openShop } from "../support/shop.js";

type Sent = Parameters<typeof extractDiscoveryInfo>;

// The official validator tells of each format that it does not check.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));

describe("what catalogues of paid APIs are told", () => {
  it("gives facilitators our own resource and description with each payment, to verify and to settle", async () => {
    const shop = openShop({ brand });
    const path = "/test/work?n=1";
    const payment = await shop.payFor(path);
    // What a buyer says of it is of no consequence.
    const sent = { ...payment, resource: { url: "http://evil.test/x" }, extensions: { bazaar: { info: "mine" } } };
    expect((await shop.pay(path, sent)).status).toBe(200);
    expect(shop.facilitator.calls.map((call) => call.path)).toEqual(["verify", "settle"]);
    for (const { body } of shop.facilitator.calls) {
      const { paymentPayload, paymentRequirements } = body as unknown as {
        paymentPayload: Sent[0];
        paymentRequirements: Sent[1];
      };
      expect(paymentPayload.resource?.url).toBe("http://shop.test/api/test/work?n=1");
      expect(extractDiscoveryInfo(paymentPayload, paymentRequirements)).toMatchObject({
        resourceUrl: "http://shop.test/api/test/work",
        description: "Counts its runs under test.work.",
        method: "GET",
        serviceName: "Acme Tools",
        tags: ["data", "utilities"],
        iconUrl: "https://acme.example/icon.png",
        discoveryInfo: { input: { type: "http", method: "GET", queryParams: { n: 1 } }, output: { type: "json" } },
      });
    }
  });

  it("names the resource with its query, unless that is too long for a header", async () => {
    const ask = everything();
    const path = "/api/convert/unit";
    const query = "?value=1&from=kg&to=lb";
    const { quote, response } = await ask({ path, method: "GET" }, query);
    expect(quote.resource).toMatchObject({ url: `https://api.acme.example${path}${query}` });
    expect(await response.json()).toMatchObject({ resource: `https://api.acme.example${path}${query}` });
    const long = await ask({ path, method: "GET" }, `${query}&more=${"x".repeat(5000)}`);
    expect(long.quote.resource).toMatchObject({ url: `https://api.acme.example${path}` });
    expect(long.response.headers.get("payment-required")?.length).toBeLessThan(4096);
  });

  it.each([
    [{ tags: ["a", "b", "c", "d", "e", "f"] }, "brand.tags"],
    [{ tags: ["snowman ☃"] }, "brand.tags"],
    [{ iconUrl: "javascript:alert(1)" }, "brand.iconUrl"],
  ])("refuses %o, which catalogues would drop", (wrong, option) => {
    expect(() => openShop({ brand: wrong })).toThrow(option);
  });
});
