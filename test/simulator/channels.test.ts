/** Worlds of payment channels, on each kind of store: everything charged is claimed or told as lost, and nothing twice. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("simulate.mjs", import.meta.url));
/** `CHANNEL_SEEDS=10000` is the whole proof; this many are lived through in CI. */
const SEEDS = Number(process.env.CHANNEL_SEEDS ?? 40);
const MS_A_WORLD = 1000;

async function simulate(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [script, "--channels", ...args], { maxBuffer: 2 ** 26 });
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: String(error.stdout || error) }));
  // The time that it took has one digit more on some runs.
  return stdout.replace(/ in [\d.]+ s/g, "").slice(-4000);
}
const whole = (seeds: number) => new RegExp(`${seeds} of ${seeds} worlds lived.* 0 fell`);

describe("the simulated shop that takes channels", () => {
  it(`CH-52 adds up in ${SEEDS} worlds`, { timeout: 60_000 + SEEDS * MS_A_WORLD }, async () => {
    expect(await simulate("--seeds", String(SEEDS))).toMatch(whole(SEEDS));
  });

  it("lives through the worlds that once fell", { timeout: 180_000 }, async () => {
    // A node that was behind showed money that a refund had taken; a refund's voucher bought the last answer again; with a
    // deposit, the chain took back a claim of another channel that was final.
    expect(await simulate("--only", "20019,30962,20040")).toContain(", 0 fell");
  });

  it.each(["redis", "postgres"])("CH-52 adds up on %s", { timeout: 300_000 }, async (store) => {
    const printed = await simulate("--seeds", "12", "--from", "20001", "--store", store);
    if (!printed.includes(`there is no ${store} here`)) expect(printed).toMatch(whole(12));
  });

  it("lives through the same world twice in the same way", { timeout: 120_000 }, async () => {
    const story = () => simulate("--seed", "3");
    expect(await story()).toBe(await story());
  });
});
