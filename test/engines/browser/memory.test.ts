/** What a hostile page may have of this machine's memory and send out of it, in the real browser. */
import "../../support/typescript-workers.js";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from "vitest";
import { createContext } from "../../../src/capability/context.js";
import { openBrowser } from "../../../src/engines/browser/chromium.js";
import { processesOf } from "../../../src/engines/browser/memory.js";
import { openScreens, type Screens } from "../../../src/engines/browser/screens.js";
import { browserStarts } from "../../support/browser.js";
import { BROWSER_ARGS, openSite, type Site } from "../../support/site.js";

const starts = await browserStarts();
const test = anyTest.skipIf(!starts || process.platform !== "linux");
const MB = 1024 ** 2;

const script = (code: string) => `<!doctype html><h1>page</h1><script>${code}</script>`;
/** Outside of the heap of scripts, which has a bound of its own. */
const HOARD = "const kept=[];for(;;){const a=new Uint8Array(16e6);a.fill(7);kept.push(a)}";
const PAGES: Record<string, string> = {
  "/honest": script(""),
  "/hoard": script(HOARD),
  // What asks politely is refused politely, and stays as it is.
  "/patient": script(`onload=()=>{const kept=[];let n=0;const t=setInterval(()=>{try{const a=new Uint8Array(16e6);
    a.fill(7);kept.push(a)}catch{clearInterval(t);document.title="refused"}},5)}`),
  "/pour": script(`const much="x".repeat(1e6);for(let i=0;i<90;i++)fetch("/sink",{method:"POST",body:much})`),
};

let site: Site;
let sunk = 0;
beforeAll(async () => {
  site = await openSite((request, response) => {
    request.on("data", ({ length }: Buffer) => {
      sunk += length;
    });
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/html" }).end(PAGES[request.url ?? ""] ?? "");
    });
  });
});
afterAll(() => site.close());

const opened: Screens[] = [];
afterEach(async () => {
  for (const screens of opened.splice(0)) await screens.close();
});

async function host({ maxMemory = 10_000 * MB, processBytes = 10_000 * MB } = {}) {
  const { dataDir } = createContext({}, { timeoutMs: 1000 });
  const pids: number[] = [];
  const open = async () => {
    const browser = await openBrowser({ args: BROWSER_ARGS, dataDir, processBytes });
    pids.push(browser.process()?.pid ?? 0);
    return browser;
  };
  const screens = await openScreens({ open, size: 4, maxMemory });
  opened.push(screens);
  const rules = {
    outbound: {
      allowHosts: [`page.example:${site.port}`],
      lookup: async () => [{ address: "127.0.0.1", family: 4 as const }],
    },
  };
  const draw = (path: string) =>
    screens.draw(
      {
        ...{ url: `https://page.example:${site.port}${path}`, width: 400, height: 320, deviceScaleFactor: 1 },
        ...{ fullPage: false, format: "png" as const, waitUntil: "load" as const, timeoutMs: 8000, userAgent: "test" },
      },
      rules,
      new AbortController().signal,
    );
  /** The most that the browser had while something was under way. */
  const peak = async (work: Promise<unknown>) => {
    let most = 0;
    let done = false;
    void work
      .finally(() => {
        done = true;
      })
      .catch(() => {});
    while (!done) {
      for (const pid of pids)
        most = Math.max(
          most,
          (await processesOf(pid)).reduce((sum, { bytes }) => sum + bytes, 0),
        );
      await sleep(20);
    }
    return most;
  };
  return { draw, peak, pids };
}

const tooMuch = { code: "UPSTREAM_ERROR", message: expect.stringContaining("more memory") };

test("BRW-6 a page that takes more than the browser may have is ended, and told so; others are drawn", async () => {
  const { draw, peak, pids } = await host({ maxMemory: 500 * MB });
  await draw("/honest");
  const hoarding = draw("/hoard");
  const [most, honest] = await Promise.all([
    peak(hoarding),
    draw("/honest"),
    expect(hoarding).rejects.toMatchObject(tooMuch),
  ]);
  expect(honest.bytes.byteLength).toBeGreaterThan(100);
  // It takes some more until it is looked at.
  expect(most).toBeLessThan(2500 * MB);
  await draw("/honest");
  expect(pids.length).toBe(1);
});

test("BRW-6 the system refuses a process of the browser more than its own bound", async () => {
  const { draw, peak } = await host({ processBytes: 600 * MB });
  const patient = draw("/patient");
  expect(await peak(patient)).toBeLessThan(1000 * MB);
  expect((await patient).bytes.byteLength).toBeGreaterThan(100);
  const hoarding = draw("/hoard");
  expect(await peak(hoarding)).toBeLessThan(1000 * MB);
  await hoarding.catch(() => {});
  await draw("/honest");
});

test("BRW-6 a page that sends much out is ended, and told so", async () => {
  const { draw } = await host();
  sunk = 0;
  await expect(draw("/pour")).rejects.toMatchObject({
    code: "UPSTREAM_ERROR",
    message: expect.stringContaining("sent more"),
  });
  expect(sunk).toBeLessThan(6 * MB);
  await draw("/honest");
});
