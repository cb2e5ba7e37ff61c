import { afterEach, expect, it, vi } from "vitest";
import { lockAcquire, lockRelease, lockRenew } from "../../src/capabilities/lock/index.js";
import { storeKvPut } from "../../src/capabilities/store/index.js";
import { HOUR_MS } from "../../src/lib/time.js";
import { fakeClock } from "../support/clock.js";
import { onBothEngines } from "../support/wallets-engine.js";

afterEach(() => void vi.useRealTimers());

onBothEngines("locks", (engine) => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const as = (wallet: string) => ({ wallet, wallets: engine.options(), clock });
  const acquire = async (wallet: string, key: string, ttlSeconds = 60) =>
    (await lockAcquire({ key, ttlSeconds, holder: "me" }, as(wallet))).items[0];
  const tokenOf = (held: Awaited<ReturnType<typeof acquire>>) => held?.token ?? "";

  it("WAL-29 of a hundred that want it at once, one gets it; its numbers only grow, over release and expiry", async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => acquire("a", "k")));
    const got = all.filter((one) => one?.acquired);
    expect(got).toHaveLength(1);
    expect(all.find((one) => !one?.acquired)).toEqual({ acquired: false, retryInSeconds: 60, holder: "me" });
    const numbers = [got[0]?.fencingToken ?? 0];
    await lockRelease({ key: "k", token: tokenOf(got[0]) }, as("a"));
    for (let i = 0; i < 3; i++) {
      numbers.push((await acquire("a", "k"))?.fencingToken ?? 0);
      clock.advance(61);
    }
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(4);
  });

  it("WAL-30 who is late renews, releases and writes nothing, whether or not somebody took over", async () => {
    const first = await acquire("b", "k");
    const fenced = (n: number | undefined) => ({
      ns: "n",
      key: "v",
      value: n,
      fence: { key: "k", fencingToken: n ?? 0 },
    });
    expect((await storeKvPut(fenced(first?.fencingToken), as("b"))).items[0]?.stored).toBe(true);
    clock.advance(61);
    const late = async () => [
      (await lockRenew({ key: "k", token: tokenOf(first), ttlSeconds: 60 }, as("b"))).items[0],
      (await lockRelease({ key: "k", token: tokenOf(first) }, as("b"))).items[0],
      (await storeKvPut(fenced(first?.fencingToken), as("b"))).items[0],
    ];
    const refused = [
      { renewed: false },
      { released: false },
      { key: "v", stored: false, reason: "fenced", version: expect.any(Number) },
    ];
    expect(await late()).toEqual(refused);
    const second = await acquire("b", "k");
    expect(await late()).toEqual(refused);
    expect((await storeKvPut(fenced(second?.fencingToken), as("b"))).items[0]?.stored).toBe(true);
    expect((await lockRenew({ key: "k", token: tokenOf(second), ttlSeconds: 600 }, as("b"))).items[0]).toEqual({
      ...{ renewed: true, fencingToken: second?.fencingToken, expiresInSeconds: 600 },
    });
    expect((await lockRelease({ key: "k", token: tokenOf(second) }, as("b"))).items).toEqual([{ released: true }]);
    expect((await lockRelease({ key: "k", token: tokenOf(second) }, as("b"))).items).toEqual([{ released: false }]);
  });

  it("WAL-31 clocks of instances that are an hour apart, or jump, end no lease and prolong none", async () => {
    // No clock of the host's: then the database's counts.
    const { clock: _, ...real } = as("unsynchronized");
    const at = async (shiftMs: number) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + shiftMs });
      const [item] = (await lockAcquire({ key: "k", ttlSeconds: 60 }, real)).items;
      vi.useRealTimers();
      return item;
    };
    const held = await at(0);
    expect(held?.acquired).toBe(true);
    for (const shift of [HOUR_MS, -HOUR_MS, 0]) expect((await at(shift))?.acquired).toBe(false);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR_MS });
    const renewed = (await lockRenew({ key: "k", token: tokenOf(held), ttlSeconds: 60 }, real)).items[0];
    vi.useRealTimers();
    expect(renewed).toEqual({ renewed: true, fencingToken: held?.fencingToken, expiresInSeconds: 60 });
  });

  it("WAL-32 the 101st that is held is refused, and one that ran out does not count", async () => {
    for (let i = 0; i < 100; i++) await acquire("c", `k${i}`, i === 0 ? 10 : 3600);
    await expect(acquire("c", "more")).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect((await acquire("c", "k5"))?.acquired).toBe(false);
    clock.advance(11);
    expect((await acquire("c", "more"))?.acquired).toBe(true);
  });

  it("belong to one wallet: another's key of the same name is another lock", async () => {
    expect((await acquire("d", "k"))?.acquired).toBe(true);
    expect((await acquire("e", "k"))?.acquired).toBe(true);
    const token = tokenOf(await acquire("d", "other"));
    expect((await lockRelease({ key: "other", token }, as("e"))).items[0]?.released).toBe(false);
  });
});
