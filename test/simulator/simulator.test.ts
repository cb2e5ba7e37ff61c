/** Worlds that must come to rest with every payment earned, delivered or given back. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("simulate.mjs", import.meta.url));
const SEEDS = 60;
/** The worlds take minutes on a busy machine, and end by themselves. */
const TIMEOUT_MS = 600_000;

/**
 * Worlds that fell once, and what had to be changed. A seed's world is another one since the simulator learned more
 * moves; beside each there is a test in test/handler that needs no luck.
 */
const FELL_ONCE: [seed: number, why: string][] = [
  [68, "credit that became free lowered the quote below the payment that had been made and delivered"],
  [598, "a retry took a pending settlement over and died, and the background did not know of it"],
  [828, "a refund whose answers were all lost while no node could be read became credit on top"],
  [1809, "a slow process refused a payment as expired while another one took it over and settled it"],
  [1529, "a process died when a refund was in the books and not in its record, and the chain took its settlement back"],
  [142, "a refund that failed after a quarter of an hour was due at a fraction of a millisecond, and kept no count"],
  [1015, "where no node could be asked, a settlement that was refused again and again was asked for without end"],
];

/** What the simulator prints; it exits with an error when a world falls. */
async function simulate(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: String(error.stdout ?? error) }));
  // The time that it took has one digit more on some runs.
  return stdout.replace(/ in [\d.]+ s/g, "").slice(-4000);
}

describe("T-1 the simulated shop", () => {
  it(`PAY-27 PAY-40 PAY-47 loses nothing and gives nothing away in ${SEEDS} worlds`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(await simulate("--seeds", String(SEEDS))).toMatch(new RegExp(`${SEEDS} of ${SEEDS} worlds lived.* 0 fell`));
  });

  it("ATK-7 ATK-8 drains no reseller, and lets no shop talk a client out of its limit", {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(await simulate("--market", "--seeds", "50")).toMatch(/50 of 50 worlds lived.* 0 fell/);
  });

  it("ACC-1 ACC-2 ACC-5 ACC-7 charges each answer to its account once, and spends nothing that is not there", {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(await simulate("--accounts", "--seeds", "50")).toMatch(/50 of 50 worlds lived.* 0 fell/);
  });

  it("lives through the worlds that once fell", { timeout: TIMEOUT_MS }, async () => {
    const seeds = FELL_ONCE.map(([seed]) => seed);
    expect(await simulate("--only", seeds.join(","))).toContain(", 0 fell");
  });

  it("lives through the same world twice in the same way", { timeout: TIMEOUT_MS }, async () => {
    const story = () => simulate("--seed", "598");
    expect(await story()).toBe(await story());
  });
});
