/** Calls at once on one channel, over sockets: the buyer is a process of its own, as it is in life. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { node } from "../../../src/adapters/node/index.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { craft, offerOf, openChannelShop, WORK } from "../../support/channel-shop.js";

const BUYER = fileURLToPath(new URL("../../support/channel-buyer-process.mjs", import.meta.url));
let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

describe("a buyer in another process", () => {
  it("CH-18 has all of ten calls at once served, and of thirty, each charged once", async () => {
    const shop = openChannelShop(chain);
    const server = createServer(node(shop.handle)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const key = generatePrivateKey();
    await chain.mint(privateKeyToAccount(key).address, 20_000_000n);
    await shop.fetch(WORK);
    const env = {
      ...process.env,
      KEY: key,
      URL_OF_WORK: `http://127.0.0.1:${port}/api/test/work`,
      RPC_URL: chain.rpcUrl,
    };
    const buyer = spawn(process.execPath, [BUYER], { env, stdio: ["pipe", "pipe", "inherit"] });
    const answers = createInterface({ input: buyer.stdout })[Symbol.asyncIterator]();
    const callAtOnce = async (many: number) => {
      buyer.stdin.write(`${many}\n`);
      return JSON.parse((await answers.next()).value ?? "[]");
    };
    expect(await callAtOnce(1)).toEqual([200]);
    for (const many of [10, 30]) expect(await callAtOnce(many)).toEqual(Array(many).fill(200));
    expect(shop.runs()).toBe(41);
    expect((await shop.handle.ledger()).channels).toMatchObject({ earnedUsd: "0.041" });
    buyer.stdin.end();
    await once(buyer, "exit");
    server.close();
    await shop.handle.close();
  }, 120_000);

  it("CH-18 keeps nobody waiting who comes with the next voucher while a turn is kept", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    await buyer.fetch(`${WORK}?n=0`);
    const offer = await offerOf(shop.fetch);
    const order: string[] = [];
    const pay = async (name: string, ceiling: bigint, n: number) => {
      const { header } = await craft(offer, buyer.account, ceiling);
      const { status } = await shop.fetch(`${WORK}?n=${n}`, { headers: { "payment-signature": header } });
      order.push(`${name} ${status}`);
    };
    // Told to sign anew, it has the turn: whoever is as far behind waits, and finds that it was faster.
    await pay("first", 1000n, 1);
    const second = pay("second", 1000n, 2);
    await new Promise(setImmediate);
    await pay("first again", 2000n, 1);
    await second;
    await pay("second again", 3000n, 2);
    expect(order).toEqual(["first 402", "first again 200", "second 402", "second again 200"]);
    await shop.handle.close();
  });

  it("CH-54 is not kept waiting by a stranger who signed nothing", async () => {
    const shop = openChannelShop(chain);
    await shop.fetch(WORK);
    const buyer = await chain.buyer(shop.fetch);
    await buyer.fetch(`${WORK}?n=0`);
    const offer = await offerOf(shop.fetch);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const send = async (ceiling: bigint, signer = buyer.account) => {
      const { header } = await craft(offer, buyer.account, ceiling, { signer });
      return shop.fetch(`${WORK}?n=${ceiling}`, { headers: { "payment-signature": header } });
    };
    for (let i = 0n; i < 20n; i++) expect((await send(5000n + i, stranger)).status).toBe(402);
    // Nothing was kept: a copy of an old voucher is answered without a turn to wait for.
    const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect((await send(2000n)).status).toBe(200);
    expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBeLessThanOrEqual(timers);
    await shop.handle.close();
  });
});
