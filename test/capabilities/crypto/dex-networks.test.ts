import { describe, expect, it } from "vitest";
import { cryptoDexNetworks } from "../../../src/capabilities/crypto/dex/dex-networks.js";
import { fakeUpstream } from "../../support/upstream.js";

const network = (id: string, platform: string | null = id) => ({
  id,
  type: "network",
  attributes: { name: id.toUpperCase(), coingecko_asset_platform_id: platform },
});

const ask = (limit: number, data: unknown[]) => {
  const { fetch } = fakeUpstream([{ url: "/networks?page=1", body: { data } }]);
  return cryptoDexNetworks({ limit }, { fetch, secrets: {}, cache: false });
};

describe("crypto.dex-networks", () => {
  it("lists networks with the ids that others take", async () => {
    expect(await ask(1, [network("eth", "ethereum"), network("new", null)])).toMatchObject({
      items: [{ id: "eth", name: "ETH", coingeckoPlatformId: "ethereum" }],
      total: 2,
    });
    const { items } = await ask(2, [network("eth", "ethereum"), network("new", null)]);
    expect(items[1]?.coingeckoPlatformId).toBeNull();
  });

  it("does not know how many there are when the page is full", async () => {
    const page = Array.from({ length: 100 }, (_, index) => network(`n${index}`));
    expect(await ask(100, page)).toMatchObject({ total: null });
  });

  it("UP-7 gives an older list while the upstream is down, and says how old it is", async () => {
    const { fetch } = fakeUpstream([
      { url: "", body: { data: [network("eth")] } },
      { url: "", status: 503 },
    ]);
    let now = Date.parse("2026-09-01T00:00:00Z");
    const options = { fetch, secrets: {}, clock: () => new Date(now) };
    await cryptoDexNetworks({}, options);
    now += 25 * 3_600_000;
    expect(await cryptoDexNetworks({}, options)).toMatchObject({
      items: [{ id: "eth" }],
      meta: { staleSeconds: 90_000 },
    });
  });
});
