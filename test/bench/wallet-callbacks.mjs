import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandler } from "coinslot";
import { scheduleCreate } from "coinslot/capabilities/schedule";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import { printBar, printTable, say, times, whole } from "./measure.mjs";

const RECEIVERS = 10;
/** As many as one wallet may have. */
const EACH = 100;
const COUNT = RECEIVERS * EACH;
const START = Date.now();

export const title = `${COUNT} callbacks that are due at once, to ${RECEIVERS} receivers, beside bare posts that are signed`;

/** Who counts what arrives, and says yes. */
async function openReceivers() {
  const counter = { got: 0 };
  const servers = await Promise.all(
    Array.from({ length: RECEIVERS }, async () => {
      const server = createServer((incoming, answer) => {
        incoming.resume();
        incoming.on("end", () => {
          counter.got++;
          answer.writeHead(204).end();
        });
      });
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const hosts = servers.map((server) => `127.0.0.1:${server.address().port}`);
  return { counter, hosts, close: () => servers.forEach((server) => void server.close()) };
}

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const { counter, hosts, close } = await openReceivers();
  let now = START;
  const handle = createHandler({
    capabilities: [scheduleCreate],
    payment: false,
    clock: () => new Date(now),
    outbound: { allowHosts: hosts },
    wallets: { dataDir: folder, runner: false, httpCallbacks: true },
  });
  const at = new Date(START + 3_600_000).toISOString();
  for (let i = 0; i < COUNT; i++)
    await handle.call(
      "schedule.create",
      { callbackUrl: `http://${hosts[i % RECEIVERS]}/`, at },
      { wallet: `wallet-${i % RECEIVERS}` },
    );
  now = START + 3_700_000;
  const ours = await perSecond(async () => {
    // Every minute has room for so many to one address.
    while (counter.got < COUNT) {
      now += 60_000;
      await handle.tick();
    }
  });

  counter.got = 0;
  const webhook = new Webhook(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
  const bare = await perSecond(async () => {
    const post = async (host) => {
      for (let i = 0; i < EACH; i++) {
        const [id, body] = [`evt_${host}_${i}`, JSON.stringify({ type: "schedule.fired", data: { i } })];
        const headers = {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
          "webhook-signature": webhook.sign(id, new Date(), body),
        };
        const { body: answer } = await request(`http://${host}/`, { method: "POST", headers, body });
        await answer.dump();
      }
    };
    await Promise.all(hosts.map(post));
  });
  await handle.close();
  close();
  await rm(folder, { recursive: true, force: true });
  printTable(
    ["", "per second", "x bare"],
    [
      ["due callbacks, each recorded before and after", whole(ours), times(ours / bare)],
      ["bare posts, signed", whole(bare), times(1)],
    ],
  );
  say("  Ours judges the address anew, connects to it alone, and signs twice: by the shared secret and by Ed25519.");
  // Below what was measured: claims, counts and outcomes are statements for several callbacks each.
  return [printBar("callbacks beside bare posts", ours / bare, { atLeast: 0.1 })];
}

async function perSecond(work) {
  const startedAt = performance.now();
  await work();
  return COUNT / ((performance.now() - startedAt) / 1000);
}
