import { describe, expect, test } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import { createContext } from "../src/capability/context.js";
import { inputSchema, isBinary, type JsonSchema, outputSchema } from "../src/capability/json-schema.js";
import type { AnyCapability } from "../src/capability/types.js";
import { exportName } from "../src/discovery/export-name.js";
import { CapabilityError } from "../src/errors.js";
import { fromMicros, toMicros } from "../src/lib/money.js";

const noNetwork: typeof fetch = async (input) => {
  throw new Error(`an invalid input must not reach the network, but asked for ${input}`);
};

/** All secrets are set and no request may leave. */
function contextOf(capability: AnyCapability) {
  const secrets = Object.fromEntries(capability.requires.map((name) => [name, "test"]));
  return createContext({ fetch: noNetwork, secrets }, { timeoutMs: capability.timeoutMs });
}

/** Every named field of a schema, nested ones included, with its dotted path. */
function fieldsOf(schema: JsonSchema, path = ""): { path: string; field: JsonSchema }[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({ path: `${path}${name}`, field }));
  const inner = own.flatMap(({ path: below, field }) => fieldsOf(field, `${below}.`));
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own, ...inner, ...variants.flatMap((variant) => fieldsOf(variant, path))];
}

/** The parameters that are a US state, by their descriptions. */
const statesIn = (capability: AnyCapability) =>
  Object.entries(inputSchema(capability).properties ?? {})
    .filter(([, { description = "" }]) => /\bstate\b.*\b(code|name)\b|\bUS state\b/i.test(description))
    .map(([name]) => name);

function nested(depth: number): unknown {
  return depth === 0 ? "end" : { deeper: nested(depth - 1) };
}

/** The length that a field's schema allows; undefined where it names none. */
function longestOf(capability: AnyCapability, name: string): number | undefined {
  const { maxLength, anyOf = [], oneOf = [] } = inputSchema(capability).properties?.[name] ?? {};
  const all = [maxLength, ...[...anyOf, ...oneOf].map((one) => one.maxLength)].filter((one) => typeof one === "number");
  return all.length > 0 ? Math.max(...(all as number[])) : undefined;
}

/** Bodies that no capability may accept, and fields that spoil an input which is fine otherwise. */
function hostileInputs(capability: AnyCapability): [string, unknown][] {
  const { example } = capability;
  const properties = Object.entries(inputSchema(capability).properties ?? {});
  const fields = properties.map(([name]) => name);
  /** Fields that are no "any JSON", which takes what is not too deep. */
  const typed = properties.filter(([, { type, anyOf, oneOf }]) => type ?? anyOf ?? oneOf).map(([name]) => name);
  /** Fields that are not files, which may be as large, each with a text that is longer than it takes. */
  const long = typed
    .filter((name) => !inputSchema(capability).properties?.[name]?.contentEncoding)
    .map((name) => ({ name, length: Math.max(100_000, (longestOf(capability, name) ?? 0) + 1) }));
  // JSON to work on may be as deep as the parsers of the field take it.
  const deep = nested(capability.group === "json" ? 1_000 : 64);
  const spoiled = (value: unknown, names = fields) => names.map((name) => ({ ...example, [name]: value }));
  return [
    ["null", null],
    ["an array", []],
    ["a string", "input"],
    ["a number", 7],
    ["the example as text", JSON.stringify(example)],
    ["an own __proto__", JSON.parse(`{ "__proto__": { "polluted": true }, "constructor": { "prototype": {} } }`)],
    ["a prototype with the example's fields", JSON.parse(`{ "__proto__": ${JSON.stringify(example)} }`)],
    ["64 levels", nested(64)],
    ...spoiled(deep).map((value): [string, unknown] => ["a field 64 levels deep", value]),
    ...spoiled(null, typed).map((value): [string, unknown] => ["a field of null", value]),
    ...long.map(({ name, length }): [string, unknown] => [
      `a field of ${length} characters`,
      { ...example, [name]: "x".repeat(length) },
    ]),
  ];
}

describe.each(capabilities.map((capability): [string, AnyCapability] => [capability.id, capability]))(
  "%s",
  (id, it) => {
    test("has an id of group and name, and a path made of it", () => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(it.path).toBe(`/api/${id.replace(".", "/")}`);
      expect(it.group).toBe(id.split(".")[0]);
      expect(exportName(id)).toMatch(/^[a-z][A-Za-z0-9]*$/);
    });

    test("describes itself in one short summary and in search words", () => {
      expect(it.summary.length).toBeGreaterThan(20);
      expect(it.summary.length).toBeLessThanOrEqual(300);
      expect(it.summary).toBe(it.summary.trim());
      expect(it.keywords.length).toBeGreaterThan(0);
      for (const keyword of it.keywords) expect(keyword).toMatch(/^\S(.*\S)?$/u);
    });

    test("describes every field of its input", () => {
      for (const { path, field } of fieldsOf(inputSchema(it))) {
        // The name of a variant says what it is.
        if (field.const !== undefined) continue;
        expect(field.description, path).toMatch(/^\S(.*\S)?$/u);
      }
    });

    test("shows its defaults in the schema and not in words alone", () => {
      for (const { path, field } of fieldsOf(inputSchema(it)))
        if (field.default === undefined) expect(field.description ?? "", path).not.toMatch(/\bdefault\b/i);
    });

    test("takes only states that exist", async () => {
      for (const path of statesIn(it)) {
        const error: unknown = await it.parse({ ...it.example, [path]: "ZZ" }, contextOf(it)).catch((thrown) => thrown);
        expect(error, path).toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
      }
    });

    test("has an input that refuses unknown fields, and only flat ones in a query", () => {
      const schema = inputSchema(it);
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      if (it.method === "POST") return;
      for (const { path, field } of fieldsOf(schema))
        for (const kind of [field, ...(field.anyOf ?? [])]) expect(String(kind.type), path).not.toMatch(/object|array/);
    });

    test("converts to JSON Schema without references", () => {
      expect(JSON.stringify([inputSchema(it), outputSchema(it)])).not.toMatch(/"\$(ref|defs)"/);
      if (it.shape === "normalized")
        expect(outputSchema(it).required).toEqual(expect.arrayContaining(["ok", "items", "total", "source"]));
      if (isBinary(it)) expect(it.shape).toBe("legacy");
    });

    test("has an example that is accepted", async () => {
      await expect(it.parse(it.example, contextOf(it))).resolves.toBeTypeOf("object");
    });

    test("has a price that is exact to a millionth of a dollar", () => {
      const amounts = it.price.mode === "fixed" ? [it.price.usd] : [it.price.minUsd, it.price.maxUsd];
      for (const usd of amounts) expect(fromMicros(toMicros(usd))).toBe(usd);
      for (const usd of amounts) expect(toMicros(usd)).toBeGreaterThanOrEqual(1000n);
    });

    test("names its source and the source's terms", () => {
      expect(it.source.provider).toMatch(/\S/);
      expect(it.source.license).toMatch(/\S/);
      expect(it.source.url).toMatch(/^(https?:\/\/\S+)?$/);
    });

    test("ends within two minutes", () => {
      expect(it.timeoutMs).toBeGreaterThan(0);
      expect(it.timeoutMs).toBeLessThanOrEqual(120_000);
    });

    test("refuses hostile input with a 400", async () => {
      for (const [what, input] of hostileInputs(it)) {
        const error: unknown = await it.parse(input, contextOf(it)).then(
          () => new Error("was accepted"),
          (thrown: unknown) => thrown,
        );
        expect(CapabilityError.is(error), `${what}: ${error}`).toBe(true);
        expect(error, what).toHaveProperty("status", 400);
      }
      expect({}).not.toHaveProperty("polluted");
    });
  },
);

test("states are found by the words of their descriptions", () => {
  const ids = capabilities.filter((capability) => statesIn(capability).length > 0).map(({ id }) => id);
  const known = [
    "agriculture.drought",
    "agriculture.stats",
    "aviation.accidents",
    "bank.lookup",
    "census.demographics",
  ];
  expect(ids).toEqual(expect.arrayContaining(known));
});

test("tool names are unique and fit every model's rule", () => {
  const names = capabilities.map(({ id }) => id.replace(/[.-]/g, "_"));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
});
