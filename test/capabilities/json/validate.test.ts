import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonValidate } from "../../../src/capabilities/json/index.js";
import { validatorOf } from "../../../src/engines/json/schema/validate.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Input = Parameters<typeof jsonValidate>[0];
const ask = async (input: Input) => {
  const item = (await jsonValidate(input)).items[0];
  if (!item) throw new Error("no item");
  return item;
};

describe("json.validate", () => {
  test("tells every error with its place in the instance and in the schema", async () => {
    const schema = {
      type: "object",
      required: ["name"],
      properties: { name: {}, price: { type: "number", minimum: 0 }, "a/b": { items: { type: "string" } } },
      additionalProperties: false,
    };
    expect(await ask({ schema, instance: { price: -1, "a/b": ["x", 2], more: 1 } })).toEqual({
      valid: false,
      draft: "2020-12",
      errors: [
        { path: "", schemaPath: "/required", keyword: "required", message: 'must have the member "name"' },
        { path: "/price", schemaPath: "/properties/price/minimum", keyword: "minimum", message: "must be at least 0" },
        {
          path: "/a~1b/1",
          schemaPath: "/properties/a~1b/items/type",
          keyword: "type",
          message: "must be string, and is number",
        },
        {
          path: "/more",
          schemaPath: "/additionalProperties",
          keyword: "additionalProperties",
          message: "is not a known member",
        },
      ],
      errorPaths: ["", "/price", "/a~1b/1", "/more"],
    });
    expect(await ask({ schema, instance: { name: "Tea" } })).toMatchObject({ valid: true, errors: [], errorPaths: [] });
    expect((await ask({ schema, instance: { price: -1, more: 1 }, maxErrors: 1 })).errors).toHaveLength(1);
  });

  test("takes the draft from $schema, or as asked", async () => {
    const schema = { $schema: "http://json-schema.org/draft-04/schema#", maximum: 3, exclusiveMaximum: true };
    expect(await ask({ schema, instance: 3 })).toMatchObject({ valid: false, draft: "draft-04" });
    expect(await ask({ schema: { const: 1 }, instance: 2, draft: "draft-04" })).toMatchObject({ valid: true });
    expect(await ask({ schema: false, instance: 1 })).toMatchObject({ valid: false });
  });

  test("asserts formats only when asked", async () => {
    const schema = { format: "date" };
    expect((await ask({ schema, instance: "2026-02-30" })).valid).toBe(true);
    expect((await ask({ schema, instance: "2026-02-30", formats: "assert" })).valid).toBe(false);
    expect((await ask({ schema, instance: "2028-02-29", formats: "assert" })).valid).toBe(true);
  });

  test.each([
    ["date-time", "1998-12-31T23:59:60Z", "1998-12-31T22:59:60Z"],
    ["time", "08:30:06+09:30", "24:00:00Z"],
    ["duration", "P4DT12H30M5S", "P1D2H"],
    ["email", "joe.bloggs@example.com", ".test@example.com"],
    ["hostname", "xn--4gbwdl.xn--wgbh1c", "-a.example"],
    ["ipv4", "192.168.0.1", "256.0.0.1"],
    ["ipv6", "::ffff:192.168.0.1", "::1%eth0"],
    ["uri", "urn:oasis:names:specification", "//foo.bar/?baz"],
    ["uri-reference", "/abc", "\\\\WINDOWS"],
    ["uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380"],
    ["uri-template", "http://example.com/{term:1}/{term}", "http://example.com/{term:1}/{term"],
    ["json-pointer", "/foo/bar~0/baz~1", "/foo/bar~"],
    ["relative-json-pointer", "0#", "-1"],
    ["regex", "([abc])+\\s+$", "^(abc]"],
    ["unknown", "x", undefined],
  ])("knows the format %s", async (format, right, wrong) => {
    expect((await ask({ schema: { format }, instance: right, formats: "assert" })).valid).toBe(true);
    if (wrong !== undefined)
      expect((await ask({ schema: { format }, instance: wrong, formats: "assert" })).valid).toBe(false);
  });

  test("finds other schemas by id and fetches nothing", async () => {
    const schema = { $ref: "https://example.com/price" };
    const other = { $id: "https://example.com/price", type: "number" };
    expect((await ask({ schema, instance: "x", schemas: [other] })).valid).toBe(false);
    expect(
      (await ask({ schema, instance: 1, schemas: [{ id: "https://example.com/price", schema: { type: "number" } }] }))
        .valid,
    ).toBe(true);
    const fetch = () => Promise.reject(new Error("fetched"));
    await expect(jsonValidate({ schema, instance: 1 }, { fetch })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "schema", message: expect.stringMatching(/not here: add it to schemas; nothing is fetched/) }],
    });
    expect(
      (await ask({ schema: { $ref: "https://json-schema.org/draft/2020-12/schema" }, instance: { type: 1 } })).valid,
    ).toBe(false);
  });

  test.each<[Input, string, RegExp]>([
    [{ schema: { type: 5 }, instance: 1 }, "schema", /not a schema of 2020-12: \/type/],
    [{ schema: { pattern: "(" }, instance: "a" }, "schema", /not a regular expression/],
    [{ schema: [] as never, instance: 1 }, "schema", /an object or a boolean/],
    [{ schema: {} } as Input, "instance", /required/],
    [{ schema: {}, instance: 1, schemas: [{ type: "number" }] }, "schemas.0", /absolute URI/],
    [{ schema: { $ref: "#/$defs/none" }, instance: 1 }, "schema", /not here/],
    [{ schema: { $ref: "#" }, instance: 1 }, "schema", /without end/],
    [{ schema: {}, instance: 1, maxErrors: 101 }, "maxErrors", /100/],
  ])("refuses %j", async (input, path, message) => {
    await expect(ask(input)).rejects.toMatchObject({
      status: 400,
      issues: [{ path, message: expect.stringMatching(message) }],
    });
  });

  test("ends on patterns that backtrack, and on schemas that multiply", async () => {
    const instance = `${"a".repeat(5_000)}!`;
    expect((await ask({ schema: { pattern: "^(a+)+$" }, instance })).valid).toBe(false);
    expect((await ask({ schema: { pattern: "^(a|a)*$" }, instance })).valid).toBe(false);
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let i = 1; i < 40; i++)
      $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    await expect(ask({ schema: { $defs, $ref: "#/$defs/d39" }, instance: 1 })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "schema" }],
    });
    const many = Array.from({ length: 20_000 }, (_, i) => ({ i }));
    expect((await ask({ schema: { uniqueItems: true }, instance: many })).valid).toBe(true);
  });

  test("a schema takes so many steps, however fast they are", async () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let i = 1; i < 12; i++)
      $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    const task = { schema: { $defs, $ref: "#/$defs/d11" }, draft: "auto", formats: "assert" } as const;
    expect((await validatorOf({ ...task, schemas: [] })).errorsIn(1)).not.toEqual([]);
    const bounded = await validatorOf({ ...task, schemas: [], maxSteps: 1000 });
    expect(() => bounded.errorsIn(1)).toThrow(/too many combinations/);
  });

  test("treats __proto__ as a name", async () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"number"}},"required":["__proto__","toString"]}');
    expect((await ask({ schema, instance: JSON.parse('{"__proto__":"a"}') })).errorPaths).toEqual(
      ["/__proto__", ""].sort(),
    );
  });
});

interface Group {
  about: string;
  schema: boolean | Record<string, unknown>;
  tests: [instance: unknown, valid: boolean][];
}

const DRAFTS = {
  draft4: "draft-04",
  draft6: "draft-06",
  draft7: "draft-07",
  "draft2019-09": "2019-09",
  "draft2020-12": "2020-12",
} as const;

test("a sample of the official test suite", async () => {
  const suite = JSON.parse(readFileSync(pathFromRoot("test/suites/json-schema/sample.json"), "utf8"));
  const remotes = Object.entries(suite.remotes).map(([id, schema]) => ({ id, schema }));
  let count = 0;
  for (const [folder, draft] of Object.entries(DRAFTS))
    for (const { about, schema, tests } of suite[folder] as Group[])
      for (const [instance, valid] of tests) {
        const schemas = draft === "2020-12" ? remotes : [];
        expect((await ask({ schema, instance, draft, schemas })).valid, `${about}: ${JSON.stringify(instance)}`).toBe(
          valid,
        );
        count++;
      }
  expect(count).toBeGreaterThan(500);
});
