/** Receivers that take their time, or give more than they were asked for. One database is enough: it has no part in this. */
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as schedule from "../../src/capabilities/schedule/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { openReceiver } from "../support/callback-receiver.js";
import { freshFolder } from "../support/fresh-folder.js";

const GIGABYTE = 1024 ** 3;

let dataDir = "";
const sockets = new Set<Socket>();
const servers: Server[] = [];
beforeAll(async () => {
  dataDir = await freshFolder();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function listening(server: Server): Promise<string> {
  servers.push(server.on("connection", (socket) => sockets.add(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("WAL-46 end a silent server's attempt, and one's whose headers never end, read no gigabyte, and keep nobody waiting", async () => {
  const quick = await openReceiver();
  const mute = await listening(createServer((socket) => void socket.on("error", () => {}).resume()));
  const dripping = await listening(
    createServer((socket) => {
      socket.on("error", () => {}).resume();
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
      const drip = setInterval(() => socket.write("x"), 1000).unref();
      socket.on("close", () => clearInterval(drip));
    }),
  );
  let written = 0;
  const huge = await listening(
    createHttp((_, response) => {
      const part = Buffer.alloc(1024 * 1024);
      response.writeHead(200, { "content-length": GIGABYTE }).on("error", () => {});
      const more = () => {
        while (!response.destroyed && written < GIGABYTE) {
          written += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
      };
      more();
    }),
  );
  const handle = createHandler({
    capabilities: [schedule.scheduleCreate, schedule.scheduleStatus],
    wallets: { dataDir, httpCallbacks: true, runner: false },
    ...{ payment: false, logger: silent, outbound: { allowPrivate: true } },
  });
  const as = { wallet: "w" };
  const create = async (callbackUrl: string) => {
    const input = { callbackUrl, at: new Date(0).toISOString() };
    return (await handle.call("schedule.create", input, as)).items[0]?.scheduleId ?? "";
  };
  const ids = [await create(mute), await create(dripping), await create(huge), await create(quick.url)];
  const round = handle.tick({ budgetMs: 5000 });
  await expect.poll(() => quick.calls.length, { timeout: 14_000 }).toBe(1);
  await round;
  const outcomes = await Promise.all(
    ids.map(async (scheduleId) => {
      const [found] = (await handle.call("schedule.status", { scheduleId }, as)).items;
      const [last] = found?.recentDeliveries ?? [];
      return [last?.state, last?.lastOutcome, last?.lastStatus, last?.attempts];
    }),
  );
  expect(outcomes).toEqual([
    ["pending", "unreachable", null, 1],
    ["pending", "unreachable", null, 1],
    ["delivered", "answered", 200, 1],
    ["delivered", "answered", 204, 1],
  ]);
  expect(written).toBeLessThan(GIGABYTE / 16);
  await handle.close();
  await quick.close();
}, 60_000);
