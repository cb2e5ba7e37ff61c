/** `coinslot serve` sells to `coinslot call`: two processes, a real facilitator and a chain. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { coinslot, startServe } from "../support/cli.js";
import { TREASURY } from "../support/wallets.js";

const UNIT = ["call", "convert.unit", "value=150", "from=lb", "to=kg"];
let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
let shop: Awaited<ReturnType<typeof startServe>>;
let url: string;
let env: Record<string, string>;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ chain });
  env = { TREASURY_EVM: TREASURY, FACILITATOR_URL: facilitator.url, RPC_URL_BASE: chain.rpcUrl };
  shop = await startServe([], env);
  url = shop.url;
});
afterAll(async () => {
  if (shop) expect(await shop.stop()).toBe(0);
  await facilitator?.stop();
  await chain?.stop();
});

it("a wallet's key pays for a call, on chain", async () => {
  const key = generatePrivateKey();
  await chain.mint(privateKeyToAccount(key).address, 10_000n);
  const before = await chain.balanceOf(TREASURY);
  const { code, out, err } = await coinslot([...UNIT, "--url", url, "--json"], { env: { WALLET_KEY: key } });
  expect([code, err]).toEqual([0, expect.stringMatching(/^Paid 0\.001 USD, transaction 0x[0-9a-f]{64}\.$/m)]);
  expect(JSON.parse(out)).toMatchObject({ items: [{ result: 68.0388555 }] });
  expect((await chain.balanceOf(TREASURY)) - before).toBe(1000n);

  const dear = await coinslot([...UNIT, "--url", url, "--max-usd", "0.0005"], { env: { WALLET_KEY: key } });
  expect([dear.code, dear.err]).toEqual([
    1,
    expect.stringMatching(/more: --max-usd allows 0\.0005 USD\..*SPENDING_LIMIT/s),
  ]);
  expect((await chain.balanceOf(TREASURY)) - before).toBe(1000n);
});

it("without a key the price is told, and the trial is free once", async () => {
  const unpaid = await coinslot([...UNIT, "--url", url]);
  expect([unpaid.code, unpaid.out]).toEqual([1, ""]);
  expect(unpaid.err).toMatch(/costs 0\.001 USD\. Set WALLET_KEY or SOLANA_KEY to pay, .* --trial/);
  const trial = await coinslot([...UNIT, "--url", url, "--trial"]);
  expect([trial.code, trial.err]).toEqual([0, expect.stringContaining("Not charged: trial.")]);
  expect((await coinslot([...UNIT, "--url", url, "--trial"])).code).toBe(1);
});

it("a key that is none is used wrongly", async () => {
  const { code, err } = await coinslot([...UNIT, "--url", url], { env: { WALLET_KEY: "secret" } });
  expect([code, err]).toEqual([2, expect.stringContaining("WALLET_KEY must be a private key")]);
  expect(err).not.toContain("secret");
});

it("doctor finds everything well, or a facilitator for another network", async () => {
  const { code, out } = await coinslot(["doctor"], { env });
  expect([code, out]).toEqual([0, expect.stringMatching(/ok +FACILITATOR_URL .* serves eip155:8453/)]);
  const other = await coinslot(["doctor"], { env: { ...env, EVM_NETWORK: "eip155:84532" } });
  expect([other.code, other.out]).toEqual([1, expect.stringContaining("does not serve eip155:84532")]);
});

it("a port that is taken is named", async () => {
  const { code, err } = await coinslot(["serve", "--free", "--port", new URL(url).port]);
  expect([code, err]).toEqual([2, expect.stringContaining("is taken")]);
});

it("--max-usd-per-day, --ask-above-usd and --accept-seller hold from one process to the next", async () => {
  const key = generatePrivateKey();
  await chain.mint(privateKeyToAccount(key).address, 10_000n);
  const file = join(await mkdtemp(join(tmpdir(), "spending-")), "spending.json");
  const call = (...flags: string[]) =>
    coinslot([...UNIT, "--url", url, ...flags], { env: { WALLET_KEY: key, COINSLOT_SPENDING: file } });
  const paid = async () => 10_000n - (await chain.balanceOf(privateKeyToAccount(key).address));

  expect((await call("--max-usd-per-day", "0.0015")).code).toBe(0);
  const second = await call("--max-usd-per-day", "0.0015");
  expect([second.code, second.err]).toEqual([1, expect.stringMatching(/--max-usd-per-day is the limit/)]);
  // Nobody is there to be asked.
  const asked = await call("--ask-above-usd", "0.0005");
  expect([asked.code, asked.err]).toEqual([1, expect.stringMatching(/--ask-above-usd is the limit/)]);
  expect(await paid()).toBe(1000n);
  expect((await call("--ask-above-usd", "0.001")).code).toBe(0);

  // The first purchase was of another receiver.
  const known = JSON.parse(await readFile(file, "utf8"));
  expect(Object.keys(known.pins)).toEqual([`${url}/api`]);
  const other = JSON.stringify(known.pins).replaceAll(TREASURY.toLowerCase(), `0x${"11".repeat(20)}`);
  await writeFile(file, JSON.stringify({ ...known, pins: JSON.parse(other) }));
  const turned = await call();
  expect([turned.code, turned.err]).toEqual([1, expect.stringMatching(/another receiver.*--accept-seller/s)]);
  expect(await paid()).toBe(2000n);
  expect((await call("--accept-seller")).code).toBe(0);
  expect((await call()).code).toBe(0);
  expect(await paid()).toBe(4000n);
});
