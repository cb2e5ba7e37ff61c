import { createHash, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createHandler } from "coinslot";
import { aiScreenshot } from "coinslot/capabilities/ai";
import { CERTIFICATE, KEY } from "../support/site-certificate.mjs";
import { median, printBar, printTable, say } from "./measure.mjs";

export const title = "Screenshots of a page on this machine: a warm browser beside one that is started for each";

const WARM = 24;
const COLD = 6;
const AT_ONCE = 4;

const article = `<!doctype html><meta charset="utf-8"><body style="font:16px sans-serif"><h1>An article</h1>${"<p>All happy families are alike; each unhappy family is unhappy in its own way. ".repeat(60)}`;

const keyHash = createHash("sha256")
  .update(new X509Certificate(CERTIFICATE).publicKey.export({ type: "spki", format: "der" }))
  .digest("base64");

export async function run() {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(article);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const open = () =>
    createHandler({
      capabilities: [aiScreenshot],
      payment: false,
      secrets: { CHROMIUM_ARGS: `--no-sandbox --ignore-certificate-errors-spki-list=${keyHash}` },
      outbound: {
        allowHosts: [`page.example:${port}`],
        lookup: async () => [{ address: "127.0.0.1", family: 4 }],
      },
    });
  // networkidle waits half a second by definition, which would measure the wait.
  const shoot = (host) =>
    host.call("ai.screenshot", { url: `https://page.example:${port}/`, waitUntil: "load", format: "jpeg" });

  const host = open();
  await shoot(host); // The package's browser is unpacked, and started, from here on.
  const one = await timesOf(WARM, () => shoot(host));
  const idleBytes = browserBytes();
  const startedAt = performance.now();
  const peaks = [];
  for (let i = 0; i < WARM; i += AT_ONCE) {
    const batch = Promise.all(Array.from({ length: AT_ONCE }, () => shoot(host)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    peaks.push(browserBytes());
    await batch;
  }
  const atOnce = (performance.now() - startedAt) / WARM;
  await host.close();

  const cold = await timesOf(COLD, async () => {
    const brief = open();
    await shoot(brief);
    await brief.close();
  });
  server.closeAllConnections();
  server.close();

  const row = (name, ms, bytes) => [name, `${ms.toFixed(0)} ms`, (60_000 / ms).toFixed(0), megabytes(bytes)];
  printTable(
    ["1280 x 720, JPEG", "each", "per minute", "memory of the browser"],
    [
      row("warm, one at a time", median(one), idleBytes),
      row(`warm, ${AT_ONCE} at once`, atOnce, Math.max(...peaks)),
      row("cold: start, picture, end", median(cold), undefined),
    ],
  );
  say(
    "  Memory is the browser's with all its processes, shared pages counted once; none is left when its host is closed.",
  );
  return [printBar("a warm picture's time beside a cold one's", median(one) / median(cold), { atMost: 0.5 })];
}

async function timesOf(count, work) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Proportional set size of every process below this one; undefined where the system does not tell. */
function browserBytes() {
  try {
    const parents = new Map();
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        parents.set(pid, readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1]);
      } catch {
        // It has ended.
      }
    }
    const isBelow = (pid) => pid !== undefined && (pid === String(process.pid) || isBelow(parents.get(pid)));
    let bytes = 0;
    for (const pid of parents.keys())
      if (pid !== String(process.pid) && isBelow(pid)) {
        try {
          bytes += 1024 * Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
        } catch {
          // It has ended.
        }
      }
    return bytes;
  } catch {
    return undefined;
  }
}

const megabytes = (bytes) => (bytes === undefined ? "" : `${Math.round(bytes / 1024 ** 2)} MB`);
