/** PAY-29: a process dies at a named point of a paid call; another one takes over, on the same Postgres. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { startPostgres } from "../support/postgres.js";
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
/** From here on a result was saved, so the work must not be done again. */
const SAVED = POINTS.slice(POINTS.indexOf("result saved"));
const SETTLE_MS = 1000;
/** Longer than the lease of a call that may work for a second. */
const LATER_MS = 300_000;

const script = fileURLToPath(new URL("shop-process.mjs", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../../dist/index.js", import.meta.url)));
const postgres = await startPostgres();
if (!built) console.warn("SKIPPED: PAY-29 with kill -9: there is no dist/, run npm run build first");

describe.skipIf(!postgres || !built)("PAY-29 kill -9", () => {
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
    await postgres?.stop();
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

  it.each(POINTS)("at '%s' leaves one charge, one result, and a retry that gets it", async (point) => {
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
});
