/** A fact that a record lacks is null; a field under a new name is refused, and the host is told which and beside what. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createContext } from "../../src/capability/context.js";
import { type CallKeys, defineProvider } from "../../src/capability/provider.js";
import { upstream } from "../../src/upstream/client.js";
import { label, number, sparseRows, whole } from "../../src/upstream/fields.js";
import { OPEN_TERMS } from "../support/terms.js";

const KEYS: CallKeys = {
  method: "GET",
  path: "/companies",
  objects: ["\titems a\ttotal", "items[]\tname s|town s|employees n|closed? d\tetag|links"].join("\n"),
};
const providerWith = (inventory: readonly CallKeys[] | "none") =>
  defineProvider({
    ...{ name: "Register", url: "https://register.example", license: "CC0", terms: OPEN_TERMS },
    baseUrl: "https://register.example",
    ...(inventory === "none" ? {} : { inventory: async () => ({ inventory }) }),
  });
const company = whole({ name: z.string(), town: label() }, { employees: number(), closed: label() });
const schema = z.object({ items: sparseRows(company, ["employees"], 1) });

function ask(items: unknown, inventory: readonly CallKeys[] | "none" = [KEYS]) {
  const ctx = createContext({ fetch: async () => Response.json({ items }), cache: false }, { timeoutMs: 1000 });
  return upstream(ctx, providerWith(inventory)).get("/companies", { schema });
}

const MILL = { name: "Mill", town: "York", employees: 3 };
const refusedFor = (message: string) =>
  expect.objectContaining({ code: "UPSTREAM_SCHEMA", cause: expect.objectContaining({ message }) });

describe("a missing field of a call with an inventory", () => {
  test("is null where every key beside it is known", async () => {
    await expect(ask([{ name: "Mill", etag: "1" }])).resolves.toEqual({
      items: [{ name: "Mill", town: null, employees: null, closed: null }],
    });
  });

  test("is refused beside an unknown key, and the host is told both names and no value", async () => {
    await expect(ask([{ name: "Mill", town: "York", staff: 3 }])).rejects.toEqual(
      refusedFor("items[].employees: is not there; unknown beside it: staff"),
    );
  });

  test("is null where another row has it: an upstream names a field alike in all rows", async () => {
    const { items } = await ask([MILL, { name: "Barn", town: "Ely", staff: 3 }]);
    expect(items[1]).toMatchObject({ employees: null });
  });

  test("is null beside a key that is data, as one with a number of days in its name is: no inventory has such", async () => {
    const { items } = await ask([{ name: "Mill", town: "York", change_200d: 3 }]);
    expect(items[0]).toMatchObject({ employees: null });
  });

  test("is null beside an unknown key whose values it could not have held", async () => {
    const { items } = await ask([{ name: "Mill", town: "York", officers: [{ name: "A" }] }]);
    expect(items[0]).toMatchObject({ employees: null });
  });

  test("that records often lack is refused only beside a name like its own", async () => {
    await expect(ask([{ ...MILL, founded: "1999-01-01" }])).resolves.toMatchObject({ items: [{ closed: null }] });
    await expect(ask([{ ...MILL, dateClosed: "1999-01-01" }])).rejects.toEqual(
      refusedFor("items[].closed: is not there; unknown beside it: dateClosed"),
    );
  });

  test("is refused beside many unknown keys only if one is named like it: the inventory is poor there", async () => {
    const odd = { a1: 1, b1: 2, c1: 3, d1: 4 };
    await expect(ask([{ name: "Mill", town: "York", ...odd }])).resolves.toMatchObject({
      items: [{ employees: null }],
    });
    await expect(ask([{ name: "Mill", town: "York", ...odd, employeesTotal: 3 }])).rejects.toEqual(
      refusedFor("items[].employees: is not there; unknown beside it: employeesTotal"),
    );
  });

  test("of identity is refused in any case: without it there is no result", async () => {
    await expect(ask([{ town: "York", employees: 3 }])).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  test("of identity is told with the names that stand beside it, and with no value and no key that is one", async () => {
    await expect(ask([{ town: "York", employees: 3 }])).rejects.toEqual(
      expect.objectContaining({
        cause: expect.objectContaining({
          message: expect.stringMatching(/^items\.0\.name: .*; beside it: town, employees$/),
        }),
      }),
    );
    await expect(ask([{ "Jane Roe": 3, town: "York", employees: 3 }])).rejects.toEqual(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.not.stringMatching(/Jane|York/) }),
      }),
    );
  });

  test("costs no more than a bounded look, however large the answer", async () => {
    const rows = Array.from({ length: 50_000 }, () => MILL);
    await expect(ask(rows)).resolves.toMatchObject({ items: { length: 50_000 } });
  });
});

test("without an inventory a missing field is refused, since nobody knows what else may stand beside it", async () => {
  await expect(ask([{ name: "Mill", employees: 3 }], "none")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  await expect(ask([{ name: "Mill", employees: 3 }], [{ ...KEYS, path: "/others" }])).rejects.toMatchObject({
    code: "UPSTREAM_SCHEMA",
  });
});
