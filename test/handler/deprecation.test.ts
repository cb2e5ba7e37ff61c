/** An endpoint that ends says so in each answer (RFC 9745, RFC 8594) and in the documents. */
import { expect, it } from "vitest";
import { z } from "zod";
import { one } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { openShop } from "../support/shop.js";

const ends = (more: object) =>
  defineOwnCapability({
    id: "own.old",
    summary: "Is about to end.",
    price: "0.001",
    source: { provider: "own", url: "", license: "none" },
    input: () => z.strictObject({ n: z.number().optional().describe("Any number") }),
    output: one(z.object({ n: z.number() })),
    example: {},
    run: () => ({ item: { n: 1 } }),
    ...more,
  });

it("says when it was deprecated and when it ends, in each answer and in the documents", async () => {
  const old = ends({ deprecation: "2026-01-01", sunset: new Date("2026-12-31T23:59:59Z") });
  const shop = openShop({ capabilities: [old, ends({ id: "own.new" })] });
  for (const [path, status] of [
    ["/own/old?n=1", 402],
    ["/own/old?n=x", 400],
  ] as const) {
    const { headers, status: answered } = await shop.get(path);
    expect(answered).toBe(status);
    expect(headers.get("deprecation")).toBe("@1767225600");
    expect(headers.get("sunset")).toBe("Thu, 31 Dec 2026 23:59:59 GMT");
    expect(headers.get("access-control-expose-headers")).toContain("Sunset");
  }
  expect((await shop.get("/own/old?n=1", { "x-svc-trial": "1" })).headers.get("deprecation")).toBe("@1767225600");
  const { headers } = await shop.get("/own/new?n=1");
  expect([headers.get("deprecation"), headers.get("sunset")]).toEqual([null, null]);
  const { get } = shop.handle.openapi().paths["/api/own/old"] ?? {};
  expect(get).toMatchObject({ deprecated: true, "x-svc-sunset": "2026-12-31T23:59:59.000Z" });
  expect(get?.description).toContain("Deprecated as of 2026-01-01. Ends on 2026-12-31.");
  const entry = shop.handle.directory().endpoints.find(({ id }) => id === "own.old");
  expect(entry).toMatchObject({ deprecated: true, deprecation: "2026-01-01T00:00:00.000Z" });
});

it("refuses a time that is none", () => {
  for (const sunset of ["soon", 5, new Date(Number.NaN)])
    expect(() => ends({ sunset })).toThrow(/sunset must be a Date, or a time such as/);
});
