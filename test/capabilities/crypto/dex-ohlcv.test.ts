import { describe, expect, it } from "vitest";
import { cryptoDexOhlcv } from "../../../src/capabilities/crypto/dex/dex-ohlcv.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const POOL = { network: "eth", address: "0x06DA" };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (more: Partial<Parameters<typeof cryptoDexOhlcv>[0]> = {}) =>
    cryptoDexOhlcv({ ...POOL, ...more }, { fetch: fake.fetch, secrets: {}, cache: false });
  return { ...fake, ask };
}

const answer = (ohlcv_list: unknown[], meta?: unknown) => ({ data: { attributes: { ohlcv_list } }, meta });

describe("crypto.dex-ohlcv", () => {
  it("gives bars oldest first, each once", async () => {
    const list = [
      [1_787_841_120, 5.6e-6, 9, 4, 7, 73_019.25],
      [1_787_841_120, 5.6e-6, 9, 4, 8, 80_000],
      [1_787_786_640, 1, 2, 0.5, 1.5, 10],
    ];
    const base = { symbol: "WETH", address: "0xc02a", name: "Wrapped Ether" };
    const { ask, seen } = open({
      url: "/networks/eth/pools/0x06da/ohlcv/minute",
      body: answer(list, { base, quote: null }),
    });
    const { items, total, meta } = await ask({ timeframe: "minute", aggregate: 5, limit: 10 });
    expect(items).toEqual([
      { time: "2026-08-26T23:24:00.000Z", open: 1, high: 2, low: 0.5, close: 1.5, volumeUsd: 10 },
      { time: "2026-08-27T14:32:00.000Z", open: 5.6e-6, high: 9, low: 4, close: 8, volumeUsd: 80_000 },
    ]);
    expect(total).toBe(2);
    expect(meta).toEqual({
      network: "eth",
      address: "0x06da",
      timeframe: "minute",
      aggregate: 5,
      base: { symbol: "WETH", address: "0xc02a" },
      quote: null,
    });
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      aggregate: "5",
      limit: "10",
      currency: "usd",
    });
  });

  it("has no rows for a pool without trades", async () => {
    expect(await open({ url: "/ohlcv/day", body: answer([]) }).ask()).toMatchObject({ items: [], total: 0 });
  });

  it.each([
    ["minute", 7, "1, 5, 15"],
    ["hour", 5, "1, 4, 12"],
    ["day", 4, "1"],
  ] as const)("refuses bars of %s by %i without asking", async (timeframe, aggregate, allowed) => {
    const { ask, seen } = open();
    await expect(ask({ timeframe, aggregate })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "aggregate", message: `must be ${allowed} for a timeframe of ${timeframe}` }],
    });
    expect(seen).toEqual([]);
  });

  it.each([
    [404, { errors: [] }, "NOT_FOUND"],
    [200, answer([[1_787_841_120, null, 1, 1, 1, 1]]), "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    await expect(open({ url: "", status, body }).ask()).rejects.toMatchObject({ code });
  });
});
