import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { inputSchema } from "../../src/capability/json-schema.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { awayPool } from "../support/away-pool.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK, openShop } from "../support/shop.js";
import { quoteOf, TREASURY } from "../support/wallets.js";

interface Declared {
  info: { input: Record<string, unknown>; output?: { type: string } };
  schema: { properties: { input: { properties: Record<string, unknown> }; output?: { properties: object } } };
}
const parametersOf = ({ schema }: Declared) => {
  const { queryParams, body } = schema.properties.input.properties;
  return (queryParams ?? body) as { properties: object };
};
type Sent = Parameters<typeof extractDiscoveryInfo>;

const brand = {
  name: "Acme Tools",
  slug: "acme",
  tags: ["data", "utilities"],
  iconUrl: "https://acme.example/icon.png",
};

/** Everything, configured. */
function everything() {
  const handle = createHandler({
    capabilities,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
    secrets: Object.fromEntries(capabilities.flatMap(({ requires }) => requires).map((name) => [name, "set"])),
    wallets: { db: awayPool },
    logger: silent,
    fetch: fakeFacilitator().fetch,
    brand,
  });
  return async ({ path, method }: { path: string; method: string }, query = "") => {
    const response = await handle(new Request(`https://api.acme.example${path}${query}`, { method }));
    return {
      response,
      quote: quoteOf(response) as unknown as { resource: object; extensions: Record<string, unknown> },
    };
  };
}

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

  it("declares every endpoint whole in the body, and in the header as far as 4 KB carry", async () => {
    const ask = everything();
    const outlined: string[] = [];
    for (const capability of capabilities) {
      const { response, quote } = await ask(capability);
      expect(response.status).toBe(402);
      expect(response.headers.get("payment-required")?.length, capability.id).toBeLessThan(4096);
      expect(quote.resource).toMatchObject({
        serviceName: "Acme Tools",
        url: expect.stringContaining(capability.path),
      });
      const body = (await response.json()) as { extensions: Record<string, unknown> };
      for (const declared of [body.extensions.bazaar as Declared, quote.extensions.bazaar as Declared]) {
        expect(validateDiscoveryExtensionSpec(declared as never), capability.id).toEqual({ valid: true });
        expect(validateDiscoveryExtension(declared as never), capability.id).toEqual({ valid: true });
        expect(declared.schema.properties.output, capability.id).toBeDefined();
      }
      expect(parametersOf(body.extensions.bazaar as Declared)).toEqual(inputSchema(capability));
      const inHeader = parametersOf(quote.extensions.bazaar as Declared);
      // Whatever is left out, every parameter is there: fewer would hide those of the OpenAPI document.
      expect(Object.keys(inHeader.properties)).toEqual(Object.keys(inputSchema(capability).properties ?? {}));
      if (JSON.stringify(inHeader) !== JSON.stringify(inputSchema(capability))) outlined.push(capability.id);
    }
    // Adding to these is fine where an input says much of each parameter.
    expect(outlined).toEqual([
      ...["address.format", "agriculture.stats", "ai.screenshot", "barcode.generate", "calendar.ics", "countdown.gif"],
      ...[
        "data.convert",
        "dev.version",
        "domain.email-security",
        "edi.edifact",
        "email.spf",
        "finance.amortize",
        "finance.irr",
        "finance.option",
        "geo.convert",
        "geo.distance",
        "html.extract",
        "invoice.read",
        "invoice.validate",
        "payment.qr",
        "pdf.text",
        "pdf.to-image",
        "pdf.to-markdown",
      ],
      ...["queue.enqueue", "schedule.create", "store.doc-put", "store.doc-query", "watchers.arm"],
    ]);
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
