/** Pictures of real pages by a real browser, over TLS on loopback. */
import "../../support/typescript-workers.js";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { afterAll, test as anyTest, beforeAll, describe, expect } from "vitest";
import { aiScreenshot } from "../../../src/capabilities/ai/screenshot.js";
import { createHandler } from "../../../src/handler/handler.js";
import { browserStarts } from "../../support/browser.js";
import { BROWSER_ARGS, openSite, type Site } from "../../support/site.js";

const test = anyTest.skipIf(!(await browserStarts()));

const BLUE = [0, 87, 183];
const YELLOW = [255, 215, 0];
const GREEN = [0, 128, 0];
const WHITE = [255, 255, 255];

const PAGE = `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; background: #fff } div { height: 100px } .blue { background: #0057b7; color: #fff; font: 40px sans-serif }
  .yellow { background: #ffd700 } .tall { height: 1400px } img { display: block }
</style><div class="blue">Text in white</div><div class="yellow"><img src="/logo.svg" width="100" height="100"></div>
<div class="tall"></div><div class="blue"></div>`;
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="#008000"/></svg>`;

const html = (body: string) => ({ type: "text/html; charset=utf-8", body });
const files: Record<string, { type: string; body: string; status?: number }> = {
  "/": html(PAGE),
  "/logo.svg": { type: "image/svg+xml", body: LOGO },
  "/missing": { ...html("<body style='background:#008000'>"), status: 404 },
  "/locked": { ...html("<body style='background:#008000'>"), status: 401 },
  "/adverts": html(
    `<body style="margin:0"><script src="https://securepubads.g.doubleclick.net:PORT/ad.js"></script><script src="https://cdn.example:PORT/paint.js"></script>`,
  ),
  "/ad.js": { type: "text/javascript", body: "document.body.style.background='#ffd700'" },
  "/paint.js": { type: "text/javascript", body: "document.body.style.background||='#008000'" },
  "/cookie": html(
    `<body><script>document.body.style.background=document.cookie||localStorage.x?'#ffd700':'#008000';document.cookie='a=1;max-age=999';localStorage.x=1</script>`,
  ),
  "/tall": html(`<body style="margin:0;background:#008000"><div style="height:100000px">`),
};

let site: Site;
let host: Host;
type Host = ReturnType<typeof hostWith>;

const hostWith = (secrets: Record<string, string> = {}) =>
  createHandler({
    capabilities: [aiScreenshot],
    payment: false,
    secrets: { CHROMIUM_ARGS: BROWSER_ARGS, ...secrets },
    outbound: {
      allowHosts: ["page", "cdn", "other"]
        .map((name) => `${name}.example:${site.port}`)
        .concat(`securepubads.g.doubleclick.net:${site.port}`),
      lookup: async (name) => [{ address: name === "private.example" ? "10.0.0.1" : "127.0.0.1", family: 4 }],
    },
  });

const addressOf = (path: string) => `https://page.example:${site.port}${path}`;

/** The call as it comes over HTTP. */
async function ask(path: string, input: object = {}, by: Host = host): Promise<Response> {
  const url = path.startsWith("/") ? addressOf(path) : path;
  return by(
    new Request("http://shop.example/api/ai/screenshot", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url, width: 400, height: 320, waitUntil: "load", ...input }),
    }),
  );
}

async function pictureOf(response: Response) {
  expect(response.status).toBe(200);
  const image = await loadImage(Buffer.from(await response.arrayBuffer()));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return {
    width: image.width,
    height: image.height,
    at: (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)],
    /** How many of the colours in a row of pixels are white, as letters are. */
    whites: (y: number) => {
      const row = context.getImageData(0, y, image.width, 1).data;
      return Array.from({ length: image.width }, (_, x) => row.slice(4 * x, 4 * x + 3)).filter((pixel) =>
        pixel.every((part) => part > 240),
      ).length;
    },
  };
}

/** Compression shifts colours a little. */
const near = (color: readonly number[]) => color.map((part) => expect.closeTo(part, -1));

beforeAll(async () => {
  site = await openSite((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "https://page.example");
    if (pathname === "/silent") return;
    if (pathname === "/slow") return void response.writeHead(200, { "content-type": "text/html" }).write(PAGE);
    if (pathname === "/to-http") return void response.writeHead(302, { location: "http://page.example/" }).end();
    if (pathname === "/to-private") return void response.writeHead(302, { location: "https://private.example/" }).end();
    if (pathname === "/file") {
      response.writeHead(200, { "content-type": "text/html", "content-disposition": "attachment; filename=a.html" });
      return void response.end("a download");
    }
    const file = files[pathname] ?? { ...html("nothing"), status: 404 };
    const headers = {
      "content-type": file.type,
      ...(file.status === 401 && { "www-authenticate": 'Basic realm="a"' }),
    };
    response.writeHead(file.status ?? 200, headers).end(file.body.replaceAll("PORT", String(site.port)));
  });
  host = hostWith();
});
afterAll(async () => {
  await host.close();
  await site.close();
});

describe("a picture of a page", () => {
  test.each(["png", "jpeg", "webp"])("as %s has its text, colours and pictures", async (format) => {
    const response = await ask("/", { format, quality: 90 });
    expect(response.headers.get("content-type")).toBe(`image/${format}`);
    const bytes = Number(response.headers.get("x-coinslot-image-bytes") ?? response.headers.get("x-svc-image-bytes"));
    expect((await response.clone().arrayBuffer()).byteLength).toBe(bytes);
    expect([...response.headers.keys()].join()).toContain("-render-ms");
    const picture = await pictureOf(response);
    expect(picture).toMatchObject({ width: 400, height: 320 });
    expect(picture.at(390, 90)).toEqual(near(BLUE));
    expect(picture.at(390, 150)).toEqual(near(YELLOW));
    expect(picture.at(50, 150)).toEqual(near(GREEN));
    expect(picture.at(200, 310)).toEqual(near(WHITE));
    expect(picture.whites(25)).toBeGreaterThan(10);
  });

  test("shows the whole page, and twice the pixels", async () => {
    const picture = await pictureOf(await ask("/", { fullPage: true, deviceScaleFactor: 2 }));
    expect(picture).toMatchObject({ width: 800, height: 3400 });
    expect(picture.at(780, 180)).toEqual(BLUE);
    expect(picture.at(780, 3390)).toEqual(BLUE);
    expect(picture.at(400, 3000)).toEqual(WHITE);
  });

  test("weighs less at a lower quality", async () => {
    const weigh = async (quality: number) =>
      (await (await ask("/", { format: "jpeg", quality })).arrayBuffer()).byteLength;
    expect(await weigh(5)).toBeLessThan(await weigh(95));
  });

  test.each(["/missing", "/locked"])("is taken of an error page, too: %s", async (path) => {
    expect((await pictureOf(await ask(path))).at(200, 300)).toEqual(GREEN);
  });

  test("is taken as the page stands when its time is up", async () => {
    const picture = await pictureOf(await ask("/slow", { timeoutMs: 1000 }));
    expect(picture.at(390, 90)).toEqual(BLUE);
  });
});

test("advertisements are left out, or not", async () => {
  expect((await pictureOf(await ask("/adverts"))).at(9, 9)).toEqual(GREEN);
  expect((await pictureOf(await ask("/adverts", { blockAds: false }))).at(9, 9)).toEqual(YELLOW);
});

test("BRW-4 a page finds nothing that the call before left", async () => {
  expect((await pictureOf(await ask("/cookie"))).at(200, 300)).toEqual(GREEN);
  expect((await pictureOf(await ask("/cookie"))).at(200, 300)).toEqual(GREEN);
});

describe("BRW-6 values outside their range", () => {
  test("are clamped where they are of the viewport or time", async () => {
    const picture = await pictureOf(await ask("/", { width: 100, height: 1, timeoutMs: 1 }));
    expect(picture).toMatchObject({ width: 320, height: 320 });
  });

  test.each([{ width: 640.5 }, { width: "640" }, { deviceScaleFactor: 4 }, { quality: 0 }, { format: "gif" }])(
    "are refused otherwise: %j",
    async (input) => expect((await ask("/", input)).status).toBe(400),
  );
});

describe("BRW-7 the number of pixels", () => {
  test("is bounded for the viewport", async () => {
    const response = await ask("/", { width: 3840, height: 2160, deviceScaleFactor: 3 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "INVALID_INPUT", detail: expect.stringContaining("40000000") });
  });

  test.each([
    [1, 16_383],
    [3, 16_383],
  ])("is bounded for a whole page at scale %i", async (deviceScaleFactor, tallest) => {
    const picture = await pictureOf(await ask("/tall", { fullPage: true, format: "webp", deviceScaleFactor }));
    expect(picture).toMatchObject({ width: 400 * deviceScaleFactor, height: tallest });
    expect(picture.at(10, tallest - 1)).toEqual(near(GREEN));
  });
});

describe("no picture is taken, and nothing charged,", () => {
  test.each([
    ["of a page that never answers", "/silent", 502, "UPSTREAM_TIMEOUT"],
    ["of a file to download", "/file", 502, "UPSTREAM_ERROR"],
    ["after a redirect to http", "/to-http", 400, "URL_NOT_ALLOWED"],
    ["after a redirect to a private address", "/to-private", 400, "URL_NOT_ALLOWED"],
    ["of a private address", "https://private.example/", 400, "URL_NOT_ALLOWED"],
    ["of a page on http", "http://page.example/", 400, "URL_NOT_ALLOWED"],
    ["of a local file", "file:///etc/passwd", 400, "URL_NOT_ALLOWED"],
  ])("%s", async (_, path, status, code) => {
    const response = await ask(path, { timeoutMs: 1000 });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  test("BRW-5 where nobody vouches for the certificate", async () => {
    const trusting = "--no-sandbox";
    const strict = hostWith({ CHROMIUM_ARGS: trusting });
    const response = await ask("/", {}, strict);
    expect(await response.json()).toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    await strict.close();
  });

  test("without a browser, and says so to the caller and which setting to the host", async () => {
    const none = hostWith({ CHROMIUM_PATH: "/nowhere/chromium" });
    const response = await ask("/", {}, none);
    expect(response.status).toBe(502);
    // Buyers read no names of the host's settings; who calls in-process does.
    const problem = await response.json();
    expect(problem).toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
    expect(JSON.stringify(problem)).not.toContain("CHROMIUM_PATH");
    await none.close();
    const lookup = async () => [{ address: "93.184.215.14", family: 4 }];
    const options = { secrets: { CHROMIUM_PATH: "/nowhere/chromium" }, outbound: { lookup } };
    const call = aiScreenshot({ url: "https://example.com/" }, options);
    await expect(call).rejects.toMatchObject({ message: expect.stringContaining("CHROMIUM_PATH") });
  });
});

describe("BRW-8 a browser", () => {
  const own = () => hostWith();

  test("that dies during a call costs that call and no other", async () => {
    const dying = own();
    const before = browsers();
    await ask("/", {}, dying);
    const running = ask("/silent", { timeoutMs: 15_000 }, dying);
    await until(() => site.seen.at(-1)?.endsWith("/silent") ?? false);
    for (const pid of newIn(before)) process.kill(pid, "SIGKILL");
    expect(await (await running).json()).toMatchObject({ status: 502, code: "UPSTREAM_ERROR" });
    expect((await ask("/", {}, dying)).status).toBe(200);
    await dying.close();
  });

  test("that hangs costs one call and no other", async () => {
    const hanging = own();
    const before = browsers();
    await ask("/", {}, hanging);
    for (const pid of newIn(before)) process.kill(pid, "SIGSTOP");
    expect((await ask("/", { timeoutMs: 1000 }, hanging)).status).toBe(502);
    await until(async () => (await ask("/", {}, hanging)).status === 200);
    await hanging.close();
  });

  test("ends with its host, with every process and every file", async () => {
    const before = browsers();
    const brief = own();
    await Promise.all(["/", "/tall", "/cookie", "/missing"].map((path) => ask(path, {}, brief)));
    const profiles = newIn(before).map(profileOf);
    expect(profiles.filter(existsSync)).toHaveLength(1);
    await brief.close();
    expect(newIn(before)).toEqual([]);
    expect(profiles.filter(existsSync)).toEqual([]);
  });

  test("takes a few pages at once and lets a few wait: the others are refused at once", async () => {
    const busy = own();
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => (await ask("/silent", { timeoutMs: 1000 }, busy)).text()),
    );
    const refused = answers.filter((answer) => answer.includes("OVERLOADED"));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(100);
    expect((await ask("/", {}, busy)).status).toBe(200);
    await busy.close();
  });
});

/** The browser processes of this machine that this process started, their children left out. */
function browsers(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
        return parent === process.pid && /--remote-debugging-pipe/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        return false;
      }
    });
}

const newIn = (before: number[]) => browsers().filter((pid) => !before.includes(pid));

const profileOf = (pid: number) =>
  /--user-data-dir=([^\0]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[1] ?? "";

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
