import { expect, it } from "vitest";
import { agricultureDrought } from "../../src/capabilities/agriculture/drought.js";
import { cryptoDexNetworks } from "../../src/capabilities/crypto/dex/dex-networks.js";
import { someOf, unavailableIn } from "../../src/capability/facts.js";
import { CapabilityError } from "../../src/errors.js";
import { optional } from "../../src/upstream/optional.js";
import { fakeUpstream } from "../support/upstream.js";

const check = (...items: object[]) => someOf("price", "token.address", "list.name")({ items });

it.each([{ price: 0 }, { price: null, token: { address: "0x" } }, { list: [{}, { name: "a" }] }, { price: false }])(
  "a row with %j has a fact",
  (row) => expect(() => check({ price: 1 }, row)).not.toThrow(),
);

it.each([
  {},
  { price: null, other: 1 },
  { token: {} },
  { token: { address: "" } },
  { list: [] },
  { list: [{ name: null }] },
])("a row with %j has none, and its answer is not sold", (row) =>
  expect(() => check({ price: 1 }, row)).toThrow(expect.objectContaining({ code: "UPSTREAM_SCHEMA" })),
);

it("no rows are an answer", () => expect(() => check()).not.toThrow());

it.each([
  [[{ address: null }, { address: { city: "Oslo" } }], {}],
  [[{ address: null }, { address: "" }], { unavailable: ["address"] }],
  [[{ post: "Oslo" }], {}],
  [[], {}],
])("of %j is told what none has: %j", (items, told) =>
  expect(unavailableIn(items, { address: ["address", "post"] })).toEqual(told),
);

it("a week of drought whose figures have other names is UPSTREAM_SCHEMA, not a row of nulls", async () => {
  const week = { MapDate: "20260801", NONE: "50", D0: "50", D1: "20", D2: "10", D3: "5", D4: "0" };
  const other = Object.fromEntries(Object.entries(week).map(([name, value]) => [`${name}_pct`, value]));
  for (const [rows, expected] of [
    [[week], undefined],
    [[{ ...other, MapDate: "20260801" }], "UPSTREAM_SCHEMA"],
  ] as const) {
    const { fetch } = fakeUpstream([{ url: "", body: rows }]);
    const asked = agricultureDrought({ area: "CA", weeks: 1 }, { fetch, cache: false });
    expect(
      await asked.then(
        () => undefined,
        ({ code }) => code,
      ),
    ).toBe(expected);
  }
});

it("an upstream that writes every field sells its nulls, and nothing once a field has another name", async () => {
  const ask = (attributes: object) => {
    const { fetch } = fakeUpstream([
      { url: "", body: { data: [{ id: "eth", attributes: { name: "Ethereum", ...attributes } }] } },
    ]);
    return cryptoDexNetworks({}, { fetch, cache: false, secrets: {} });
  };
  expect((await ask({ coingecko_asset_platform_id: null })).items).toEqual([
    { id: "eth", name: "Ethereum", coingeckoPlatformId: null },
  ]);
  await expect(ask({ platform_id: "ethereum" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
});

it("a part of a result may be away for a while, but is not left out once its form is another", async () => {
  const fail = (code: "UPSTREAM_ERROR" | "UPSTREAM_SCHEMA") => Promise.reject(new CapabilityError(code, "x"));
  expect(await optional(fail("UPSTREAM_ERROR"), "nothing", () => {})).toBe("nothing");
  await expect(optional(fail("UPSTREAM_SCHEMA"), "nothing", () => {})).rejects.toMatchObject({
    code: "UPSTREAM_SCHEMA",
  });
});
