/** Every endpoint's declaration for catalogues, judged by the official validator. */
import { isDeepStrictEqual } from "node:util";
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import { beforeEach, expect, it, vi } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { inputSchema } from "../../src/capability/json-schema.js";
import { everything } from "../support/everything.js";

interface Declared {
  info: { input: Record<string, unknown>; output?: { type: string } };
  schema: { properties: { input: { properties: Record<string, unknown> }; output?: { properties: object } } };
}
const parametersOf = ({ schema }: Declared) => {
  const { queryParams, body } = schema.properties.input.properties;
  return (queryParams ?? body) as { properties: object };
};

// The official validator tells of each format that it does not check.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));

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
    const [inBody, inQuote] = [body.extensions.bazaar as Declared, quote.extensions.bazaar as Declared];
    // Judging one that is the same as the other would say nothing more.
    for (const declared of isDeepStrictEqual(inBody, inQuote) ? [inBody] : [inBody, inQuote]) {
      expect(validateDiscoveryExtensionSpec(declared as never), capability.id).toEqual({ valid: true });
      expect(validateDiscoveryExtension(declared as never), capability.id).toEqual({ valid: true });
      expect(declared.schema.properties.output, capability.id).toBeDefined();
    }
    expect(parametersOf(inBody)).toEqual(inputSchema(capability));
    const inHeader = parametersOf(inQuote);
    // Whatever is left out, every parameter is there: fewer would hide those of the OpenAPI document.
    expect(Object.keys(inHeader.properties)).toEqual(Object.keys(inputSchema(capability).properties ?? {}));
    if (JSON.stringify(inHeader) !== JSON.stringify(inputSchema(capability))) outlined.push(capability.id);
  }
  // Adding to these is fine where an input says much of each parameter.
  expect(outlined).toEqual([
    ...[
      "address.format",
      "agriculture.stats",
      "ai.chat",
      "ai.screenshot",
      "barcode.generate",
      "calendar.ics",
      "countdown.gif",
    ],
    ...[
      "data.convert",
      "dev.jwt",
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
