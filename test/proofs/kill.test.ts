/** PAY-29, JOB-33: a process dies at a named point of a paid call, or of a job; another one takes over, on the same store. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const POINTS = [
  "verify",
  "claim",
  "run",
  "result saved",
  "settle sent",
  "settle answered",
  "state saved",
  "half the reply",
];
const JOB_POINTS = ["job taken", "run", "result saved", "settle sent", "settle answered", "state saved", "job ended"];
/** From here on a result was saved, so the work must not be done again. */
const SAVED = POINTS.slice(POINTS.indexOf("result saved"));
const SETTLE_MS = 1000;
/** Longer than the lease of a call that may work for a second. */
const LATER_MS = 300_000;

const script = fileURLToPath(new URL("shop-process.mjs", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../../dist/index.js", import.meta.url)));
const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
if (!built) console.warn("SKIPPED: PAY-29 with kill -9: there is no dist/, run npm run build first");

describe.skipIf(!postgres || !built)("kill -9", () => {
  let facilitator = fakeFacilitator();
  let runs = 0;
  let server: Server;
  let url = "";
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    server = createServer(async (req, res) => {
      if (req.url === "/ran") {
        runs++;
        return void res.end();
      }
      const sent = await json(req).catch(() => undefined);
      // Its process was killed while it asked.
      if (sent === undefined) return void res.destroy();
      const body = JSON.stringify(sent);
      const response = await facilitator.fetch(`${FACILITATOR_URL}${req.url}`, { method: "POST", body });
      const answer = await response.text();
      // Settled now, told later: whoever dies meanwhile does not know.
      if (req.url === "/settle") await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      res.writeHead(response.status, { "content-type": "application/json" }).end(answer);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  });

  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([postgres?.stop(), redis?.stop()]);
  });

  async function startShop(env: Record<string, string> = {}): Promise<string> {
    const settings = { DATABASE_URL: postgres?.url, FACILITATOR_URL: url, TREASURY, ...env };
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.add(child);
    const [port] = await once(child.stdout, "data");
    return `http://127.0.0.1:${String(port).trim()}/api/test/work?n=7`;
  }

  it.each(POINTS)("PAY-29 at '%s' leaves one charge, one result, and a retry that gets it", async (point) => {
    facilitator = fakeFacilitator();
    runs = 0;
    const doomed = await startShop({ KILL_AT: point });
    const quote = quoteOf(await fetch(doomed));
    const [terms] = quote.accepts;
    if (!terms) throw new Error("nothing offered");
    const now = Math.floor(Date.now() / 1000);
    const payment = await sign(terms, { now, authorization: { validBefore: String(now + 3600) } });
    const headers = { "payment-signature": toHeader(payment) };
    await expect(fetch(doomed, { headers }).then((response: Response) => response.text())).rejects.toThrow();

    const next = await startShop({ CLOCK_OFFSET_MS: String(LATER_MS) });
    const answer = await fetch(next, { headers });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { items: [{ n: 7 }] }, meta: { caller: "paid" } });
    const again = await fetch(next, { headers });
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(facilitator.settled).toHaveLength(1);
    expect(runs).toBeLessThanOrEqual(SAVED.includes(point) ? 1 : 2);
    expect(runs).toBeGreaterThan(0);
  });

  const STORES = [["Postgres", {}], ...(redis ? [["Redis", { REDIS_URL: redis.url }] as const] : [])] as const;

  describe.each(STORES)("JOB-33 on %s", (_, where) => {
    it.each(JOB_POINTS)("a job whose process dies at '%s' is done by another, and charged once", async (point) => {
      facilitator = fakeFacilitator();
      runs = 0;
      const doomed = await startShop({ ...where, KILL_AT: point });
      const [terms] = quoteOf(await fetch(doomed)).accepts;
      if (!terms) throw new Error("nothing offered");
      const now = Math.floor(Date.now() / 1000);
      const payment = await sign(terms, { now, authorization: { validBefore: String(now + 3600) } });
      const headers = { "payment-signature": toHeader(payment), prefer: "respond-async" };
      const dead = once([...children].at(-1) as ChildProcess, "exit");
      // It is accepted, or its process died before it could say so.
      const accepted = await fetch(doomed, { headers }).then(
        (answer: Response) => answer.status,
        () => "died",
      );
      expect(["died", 202]).toContain(accepted);
      await dead;

      const next = await startShop({ ...where, CLOCK_OFFSET_MS: String(LATER_MS) });
      const { origin } = new URL(next);
      const taken = (await (await fetch(next, { headers })).json()) as { id: string };
      const job = async () => (await fetch(`${origin}/api/jobs/get?id=${taken.id}`)).json();
      await expect
        .poll(
          async () => {
            await fetch(`${origin}/background`);
            return job();
          },
          { timeout: 60_000, interval: 200 },
        )
        .toMatchObject({ state: "done", costUsd: "0.001", result: { data: { items: [{ n: 7 }] } } });
      expect(facilitator.settled).toHaveLength(1);
      expect(runs).toBeLessThanOrEqual(SAVED.includes(point) || point === "job ended" ? 1 : 2);
      expect(runs).toBeGreaterThan(0);
    });
  });
});
