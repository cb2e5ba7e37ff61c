import { describe, expect, it } from "vitest";
import { cryptoFearGreed } from "../../../src/capabilities/crypto/market/fear-greed.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (value: string, value_classification: string, timestamp: string) => ({
  value,
  value_classification,
  timestamp,
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (limit: number) => cryptoFearGreed({ limit }, { fetch: fake.fetch, cache: false }) };
}

describe("crypto.fear-greed", () => {
  it("gives the newest days first, and the seconds to the next value", async () => {
    const { ask, seen } = open({
      url: "/fng/",
      body: {
        data: [
          row("33", "Fear", "1777161600"),
          { ...row("47", "Neutral", "1777248000"), time_until_update: "62507" },
        ].reverse(),
        metadata: { error: null },
      },
    });
    expect(await ask(2)).toMatchObject({
      items: [
        { value: 47, classification: "Neutral", timestamp: "2026-04-27T00:00:00.000Z" },
        { value: 33, classification: "Fear", timestamp: "2026-04-26T00:00:00.000Z" },
      ],
      total: 2,
      meta: { nextUpdateSeconds: 62_507 },
    });
    expect(seen[0]?.url.searchParams.get("limit")).toBe("2");
  });

  it.each([
    ["an error in a 200", { data: [], metadata: { error: "Invalid query" } }, "UPSTREAM_ERROR"],
    ["a value beyond the scale", { data: [row("101", "Greed", "1777161600")] }, "UPSTREAM_SCHEMA"],
    ["a value of nothing", { data: [row("", "Greed", "1777161600")] }, "UPSTREAM_SCHEMA"],
  ])("reports %s", async (_, body, code) => {
    await expect(open({ url: "", body }).ask(1)).rejects.toMatchObject({ code });
  });
});
