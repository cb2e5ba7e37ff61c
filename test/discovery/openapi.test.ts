import { describe, expect, test } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { openapi } from "../../src/discovery/openapi.js";
import { ERROR_CODES } from "../../src/error-codes.js";
import { serviceOf } from "../support/service.js";
import { samples } from "./samples.js";

const document = openapi(serviceOf({ capabilities: samples }));
const forecast = document.paths["/api/weather/day-forecast"]?.get;
const chat = document.paths["/api/talk/chat"]?.post;
const picture = document.paths["/api/draw/picture"]?.post;

/** Every value under a key, anywhere in a JSON document. */
function collect(json: unknown, key: string): unknown[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => [...(name === key ? [value] : []), ...collect(value, key)]);
}

function resolve(json: unknown, pointer: string): unknown {
  return pointer
    .replace("#/", "")
    .split("/")
    .reduce<unknown>((value, name) => new Map(Object.entries(value ?? {})).get(name), json);
}

describe("an operation", () => {
  test("of a GET has parameters with schema and example", () => {
    expect(forecast?.operationId).toBe("weatherDayForecast");
    expect(forecast).not.toHaveProperty("requestBody");
    expect(forecast?.parameters.map(({ name }) => name)).toEqual([
      ...["town", "day", "days", "station", "unit", "exact"],
      ...["trial", "X-SVC-Trial"],
    ]);
    expect(forecast?.parameters[0]).toEqual({
      name: "town",
      in: "query",
      required: true,
      description: "Name of the town",
      schema: { type: "string", minLength: 1, maxLength: 80 },
      example: "Lisbon",
    });
  });

  test("of a POST has a body with schema and example, and the trial parameters only", () => {
    expect(chat?.parameters.map(({ name }) => name)).toEqual(["trial", "X-SVC-Trial"]);
    expect(chat?.requestBody).toMatchObject({
      required: true,
      content: {
        "application/json": {
          schema: { type: "object", required: ["messages"], properties: { messages: { type: "array" } } },
          example: { messages: [{ role: "user", content: "Hello" }] },
        },
      },
    });
  });

  test("accepts the trial as a parameter and as a header", () => {
    const trial = forecast?.parameters.filter(({ name }) => /trial/i.test(name));
    expect(trial).toMatchObject([
      { name: "trial", in: "query", required: false, schema: { type: "integer", enum: [1] } },
      { name: "X-SVC-Trial", in: "header", required: false, schema: { type: "integer", enum: [1] } },
    ]);
  });

  test("carries the facts under the host's own slug", () => {
    expect(forecast).toMatchObject({
      "x-svc-id": "weather.day-forecast",
      "x-svc-version": null,
      "x-svc-price": { usd: "0.00144" },
      "x-svc-accepts": ["x402"],
      "x-svc-response-shape": "normalized",
    });
    const branded = openapi(serviceOf({ capabilities: samples, brand: { slug: "acme" }, basePath: "" }));
    const operation = branded.paths["/talk/chat"]?.post;
    expect(operation).toMatchObject({
      "x-acme-price": { minUsd: "0.001", maxUsd: "50" },
      "x-acme-response-shape": "legacy",
    });
    expect(operation?.parameters.map(({ name }) => name)).toContain("X-ACME-Trial");
    expect(JSON.stringify(branded)).not.toMatch(/svc/i);
  });

  test("carries the payment info that directories of paid endpoints read", () => {
    expect(forecast?.["x-payment-info"]).toEqual({
      price: { mode: "fixed", currency: "USD", amount: "0.00144" },
      protocols: [{ x402: {} }],
    });
    expect(chat?.["x-payment-info"]).toEqual({
      price: { mode: "dynamic", currency: "USD", min: "0.001", max: "50" },
      protocols: [{ x402: {} }],
    });
    // Readers take a security requirement for an API key that is needed besides the payment.
    expect(forecast?.security).toEqual([]);
  });

  test("states the statuses that can occur", () => {
    expect(Object.keys(forecast?.responses ?? {})).toEqual([
      ...["200", "400", "402", "404", "405", "410", "429", "500", "502"],
    ]);
    expect(Object.keys(chat?.responses ?? {})).toContain("413");
    // Nothing to look up and no provider to exhaust.
    expect(Object.keys(picture?.responses ?? {})).toEqual(["200", "400", "402", "405", "410", "413", "500", "502"]);
  });

  test("marks a deprecated capability", () => {
    expect(picture?.deprecated).toBe(true);
    expect(forecast).not.toHaveProperty("deprecated");
  });
});

describe("a 200 response", () => {
  test("of a normalized capability is data and meta", () => {
    expect(forecast?.responses["200"]).toMatchObject({
      content: {
        "application/json": {
          schema: {
            required: ["data", "meta"],
            properties: {
              data: { required: ["ok", "items", "total", "source"] },
              meta: { $ref: "#/components/schemas/CallMeta" },
            },
          },
        },
      },
    });
  });

  test("of a legacy capability is its payload", () => {
    expect(chat?.responses["200"]).toMatchObject({
      content: { "application/json": { schema: { properties: { answer: { type: "string" } } } } },
    });
  });

  test("of a binary capability names its media types", () => {
    expect(picture?.responses["200"]).toMatchObject({ content: { "image/png": {}, "image/svg+xml": {} } });
  });
});

test("the discovery endpoints are listed as free", () => {
  for (const path of ["/api/directory", "/api/search/endpoints", "/api/openapi.json"]) {
    const operation = document.paths[path]?.get;
    expect(operation, path).toMatchObject({ security: [], tags: ["discovery"] });
    expect(operation).not.toHaveProperty("x-payment-info");
    expect(operation?.responses).not.toHaveProperty("402");
  }
});

test("the brand is the document's title, server and contact", () => {
  const contact = { name: "Support", email: "help@acme.example" };
  const brand = { name: "Acme", description: "Facts.", baseUrl: "https://api.acme.example", contact };
  const branded = openapi(serviceOf({ capabilities: samples, brand }));
  expect(branded.info).toMatchObject({ title: "Acme", version: "1", description: "Facts.", contact });
  expect(branded.servers).toEqual([{ url: "https://api.acme.example" }]);
  expect(document).not.toHaveProperty("servers");
});

test("payment is declared as a key in a header", () => {
  expect(document.components.securitySchemes).toMatchObject({
    payment: { type: "apiKey", in: "header", name: "PAYMENT-SIGNATURE" },
  });
});

test("the error responses name every code of the error table", () => {
  const text = JSON.stringify(document.components.responses);
  for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(code);
});

describe("the document of the whole catalogue", () => {
  const whole = openapi(serviceOf());
  const operations = Object.values(whole.paths).flatMap((item) => Object.values(item));

  test("is OpenAPI 3.1 and plain JSON", () => {
    expect(whole.openapi).toBe("3.1.0");
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
  });

  test("has an operation for every capability, under a name of its own", () => {
    expect(operations.map((operation) => operation["x-svc-id"]).filter(Boolean)).toEqual(
      capabilities.map(({ id }) => id),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test("has tags for all operations", () => {
    const tags = new Set(whole.tags.map(({ name }) => name));
    for (const operation of operations) for (const tag of operation.tags) expect(tags).toContain(tag);
  });

  test("has no parameter twice in one operation", () => {
    for (const { operationId, parameters } of operations) {
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size, operationId).toBe(keys.length);
    }
  });

  test("resolves all its references, and all point into its components", () => {
    const references = new Set(collect(whole, "$ref"));
    expect(references.size).toBeGreaterThan(5);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/(schemas|responses)\/\w+$/);
      expect(resolve(whole, String(reference)), String(reference)).toBeDefined();
    }
  });

  test("gives every response a description, here or where it refers to", () => {
    for (const operation of operations)
      for (const response of Object.values(operation.responses)) {
        const [reference] = collect(response, "$ref").slice(0, 1);
        const inline = new Map(Object.entries(response ?? {})).get("description");
        expect(inline ?? resolve(whole, `${reference}/description`)).toBeTypeOf("string");
      }
  });

  test("is the same text every time", () => {
    expect(JSON.stringify(openapi(serviceOf()))).toBe(JSON.stringify(whole));
  });
});

test("the JSON that barcode.generate answers with a data URL has its schema", () => {
  const barcodes = capabilities.filter(({ id }) => id === "barcode.generate");
  const { responses } = openapi(serviceOf({ capabilities: barcodes })).paths["/api/barcode/generate"]?.post ?? {};
  const { content } = (responses as Record<string, { content?: Record<string, { schema?: object }> }>)["200"] ?? {};
  expect(content?.["application/json"]?.schema).toMatchObject({
    type: "object",
    properties: { dataUrl: { type: "string" }, mimeType: { const: "image/png" }, size: { type: "integer" } },
    required: ["dataUrl", "mimeType", "format", "size"],
  });
  expect(content?.["image/png"]).toEqual({});
});

test("a file that is JSON for some inputs describes it, whichever capability makes it", () => {
  const undescribed = capabilities.filter(
    ({ contentTypes, json }) => contentTypes.length > 1 && contentTypes.includes("application/json") && !json,
  );
  expect(undescribed.map(({ id }) => id)).toEqual([]);
});
