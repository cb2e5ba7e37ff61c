import { rm } from "node:fs/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workShift } from "../examples/agent/app.js";
import { startReceiver } from "../examples/agent/receiver.js";
import { createBuyer } from "../examples/local-chain/buyer.js";
import { startChain } from "../examples/local-chain/chain.js";
import { startFacilitator } from "../examples/local-chain/facilitator.js";
import { type RunningServer, serve } from "../src/adapters/node/index.js";
import { capabilities } from "../src/capabilities/index.js";
import { createHandler } from "../src/handler/handler.js";
import { silent } from "../src/lib/logger.js";
import { freshFolder } from "./support/fresh-folder.js";

let close: (() => Promise<unknown>)[] = [];
let server: RunningServer;
let chain: Awaited<ReturnType<typeof startChain>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let handle: ReturnType<typeof createHandler>;

beforeAll(async () => {
  const dataDir = await freshFolder();
  chain = await startChain();
  const facilitator = await startFacilitator({ chain });
  receiver = await startReceiver();
  handle = createHandler({
    capabilities,
    payment: {
      treasury: { [chain.network]: privateKeyToAccount(generatePrivateKey()).address },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
    },
    wallets: { dataDir },
    outbound: { allowHosts: [receiver.host] },
    logger: silent,
  });
  server = await serve(handle, { port: 0 });
  const remove = () => rm(dataDir, { recursive: true });
  close = [receiver.close, server.close, handle.close, facilitator.stop, chain.stop, remove];
}, 60_000);
afterAll(async () => {
  for (const one of close) await one();
}, 60_000);

it("the agent example keeps state, takes a lock, works off a queue and is called back, on the local chain", async () => {
  const buyer = createBuyer();
  await chain.mint(buyer.address, 10_000_000n);
  const said: string[] = [];
  const shift = () =>
    workShift({ baseUrl: server.url, fetch: buyer.fetch, receiver, say: (text) => void said.push(text) });
  expect(await shift()).toEqual({ shift: 1, parcels: 3 });
  expect(said[0]).toBe("This is my shift number 1.");
  expect(said.slice(1, 4).sort()).toEqual([
    "12.5 lb are 5.669904625 kg.",
    "150 lb are 68.0388555 kg.",
    "3 lb are 1.36077711 kg.",
  ]);
  expect(said[4]).toBe("I was called back: schedule.fired, about shift 1, and the signature is right.");
  const wallet = `${chain.network}:${buyer.address.toLowerCase()}`;
  const [usage] = ((await handle.call("store.usage" as never, {} as never, { wallet })) as { items: object[] }).items;
  expect(usage).toMatchObject({ kv: { count: 4 }, queue: { count: 0 }, locks: 0 });
  // One counter, one lock, three jobs of a lease, a conversion, a value and an acknowledgement each, and so on.
  expect(await chain.balanceOf(buyer.address)).toBeLessThan(10_000_000n - 50_000n);
  expect(await shift()).toEqual({ shift: 2, parcels: 6 });

  const stranger = createBuyer();
  await chain.mint(stranger.address, 1_000_000n);
  const body = JSON.stringify({ ns: "agent", key: "shifts" });
  const foreign = await stranger.fetch(`${server.url}/api/store/kv-get`, { method: "POST", body });
  expect(foreign.status).toBe(404);
  expect(await chain.balanceOf(stranger.address)).toBe(1_000_000n);
}, 90_000);
