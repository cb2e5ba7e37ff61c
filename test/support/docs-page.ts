/** A documentation page of a small host, in a real browser. */
import "./typescript-workers.js";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContext, Page } from "puppeteer-core";
import { z } from "zod";
import { type RunningServer, serve } from "../../src/adapters/node/index.js";
import { barcodeGenerate } from "../../src/capabilities/barcode/index.js";
import { calendarHolidays } from "../../src/capabilities/calendar/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { countdownGif } from "../../src/capabilities/countdown/index.js";
import { countryLookup } from "../../src/capabilities/country/index.js";
import { productGs1 } from "../../src/capabilities/product/index.js";
import { createContext } from "../../src/capability/context.js";
import { defineCapability } from "../../src/capability/define.js";
import { legacy, rows } from "../../src/capability/output.js";
import { openBrowser } from "../../src/engines/browser/chromium.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { FACILITATOR_URL, fakeFacilitator } from "./facilitator.js";
import { NETWORK } from "./shop.js";
import { BROWSER_ARGS } from "./site.js";
import { TREASURY } from "./wallets.js";

const source = { provider: "Field Office", url: "https://fields.example", license: "CC0" };

/** Places around a point. */
const near = defineCapability({
  id: "field.near",
  summary: "Fields around a point, nearest first.",
  keywords: ["meadow"],
  price: "0.002",
  source,
  input: () =>
    z.strictObject({
      lat: z.number().min(-90).max(90).describe("Latitude in degrees"),
      lon: z.number().min(-180).max(180).describe("Longitude in degrees"),
      kind: z.enum(["meadow", "pasture"]).optional().describe("Only this kind"),
    }),
  output: rows(z.object({ name: z.string(), lat: z.number(), lon: z.number(), distanceKm: z.number() })),
  example: { lat: 48.1, lon: 11.6 },
  run: ({ lat, lon }) => {
    const items = ["North meadow", "East meadow", "South pasture", "West pasture", "Far field"].map((name, i) => ({
      name,
      lat: lat === 0 ? 0 : lat + Math.cos(i * 1.3) * 0.2 * (i + 1),
      lon: lon + Math.sin(i * 1.3) * 0.3 * (i + 1),
      distanceKm: Math.round(24 * (i + 1)),
    }));
    return { items, total: items.length };
  },
});

/** A series in time. */
const history = defineCapability({
  id: "field.history",
  summary: "The yield of a field by day, oldest first.",
  price: "0.001",
  source,
  input: () => z.strictObject({ days: z.int().min(1).max(100).default(30).describe("How many days") }),
  output: rows(z.object({ date: z.string(), yield: z.number(), rainMm: z.number() })),
  example: { days: 40 },
  run: ({ days }) => {
    const items = Array.from({ length: days }, (_, i) => ({
      date: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
      yield: Math.round(1000 + 400 * Math.sin(i / 6) + i * 9),
      rainMm: (i * 7) % 13,
    }));
    return { items, total: items.length };
  },
});

/** Hostile in all that it says, and it says back what it is told. */
export const HOSTILE = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const hostile = defineCapability({
  id: "field.hostile",
  method: "POST",
  summary: HOSTILE,
  price: "0.001",
  source: { ...source, provider: HOSTILE, url: "javascript:document.title='owned'" },
  input: () => z.strictObject({ text: z.string().max(500).describe(HOSTILE) }),
  output: legacy(z.object({ rows: z.array(z.record(z.string(), z.string())) })),
  example: { text: HOSTILE },
  run: ({ text }) => ({
    rows: [
      { [text]: text, name: text },
      { [text]: text, name: text },
    ],
  }),
});

/** Nested as deep as inputs get: a list, kinds of one thing, an object that may be left out, and lines. */
const order = defineCapability({
  id: "field.order",
  method: "POST",
  summary: "What a basket of crops costs.",
  price: "0.001",
  source,
  input: () =>
    z.strictObject({
      items: z
        .array(z.strictObject({ crop: z.string().max(20).describe("Which one"), tonnes: z.number().max(100) }))
        .min(1)
        .max(5)
        .describe("What is in the basket"),
      delivery: z
        .discriminatedUnion("by", [
          z.strictObject({ by: z.literal("road"), plate: z.string().max(10) }),
          z.strictObject({ by: z.literal("rail"), wagons: z.int().max(9) }),
        ])
        .describe("How it travels"),
      notes: z.array(z.string().max(40)).max(5).describe("For the driver").optional(),
      seller: z
        .strictObject({ name: z.string().max(40).optional() })
        .describe("Who sells")
        .optional(),
    }),
  output: legacy(z.object({ order: z.unknown() })),
  example: { items: [{ crop: "rye", tonnes: 2 }], delivery: { by: "road", plate: "AB 1" } },
  run: (order) => ({ order }),
});

/** Money as decimal text, rows that are counted, and text of several lines. */
const loan = defineCapability({
  id: "field.loan",
  method: "POST",
  summary: "What is paid for a field, month by month.",
  price: "0.001",
  source,
  input: () => z.strictObject({ amount: z.union([z.string().max(30), z.number()]).describe("What is lent") }),
  output: rows(
    z.object({ amount: z.unknown(), note: z.string(), schedule: z.array(z.record(z.string(), z.unknown())) }),
  ),
  example: { amount: "250000.10" },
  run: ({ amount }) => {
    const day = (month: number) => new Date(Date.UTC(2026, month, 1)).toISOString().slice(0, 10);
    const schedule = Array.from({ length: 6 }, (_, i) => ({ n: i + 1, date: day(i), interest: `${60 - i * i}.50` }));
    return { items: [{ amount, note: "Paid\n| n | date |", schedule }], total: 1 };
  },
});

/** With everything that has a picker. */
const scan = defineCapability({
  id: "field.scan",
  method: "POST",
  summary: "Reads a picture of a field.",
  price: "0.001",
  source,
  offline: true,
  input: () =>
    z.strictObject({
      text: z.string().max(2000).optional().describe("The picture in words"),
      file: z.string().max(200_000).optional().describe("The picture, in base64"),
      day: z.iso.date().optional().describe("When it was taken"),
      at: z.iso.datetime().optional().describe("When it was sent"),
      background: z.string().max(100).default("#ffffff").describe("CSS colour"),
      notes: z.string().max(2000).optional().describe("In your words"),
    }),
  output: rows(z.object({ bytes: z.int().describe("Size of the picture"), said: z.unknown() })),
  example: { text: "green", day: "2026-05-01" },
  run: ({ file = "", ...said }) => ({ items: [{ bytes: Buffer.from(file, "base64").length, said }], total: 1 }),
});

/** Unavailable, because the host has no key. */
const locked = defineCapability({
  id: "field.locked",
  summary: "Fields that nobody sees.",
  price: "0.001",
  source,
  requires: ["FIELD_KEY"],
  input: () => z.strictObject({}),
  output: rows(z.object({ name: z.string() })),
  example: {},
  run: () => ({ items: [], total: 0 }),
});

export const fields = [
  ...[near, history, hostile, order, scan, loan, locked],
  ...[convertUnit, barcodeGenerate, countdownGif, countryLookup, calendarHolidays, productGs1],
];

export const openHost = (more: Partial<HandlerOptions> = {}) =>
  createHandler({
    capabilities: fields,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
    fetch: fakeFacilitator().fetch,
    brand: { name: "Acme Fields", slug: "acme", contact: { email: "help@acme.example" } },
    trial: { perHour: 20 },
    ...more,
  });

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Documentation {
  server: RunningServer;
  /** A new tab that has loaded the page and remembers nothing; `complaints` are what its console and its policies said. */
  open(options?: {
    path?: string;
    width?: number;
    dark?: boolean;
    before?: (page: Page) => Promise<unknown>;
  }): Promise<Tab>;
  close(): Promise<void>;
}
export interface Tab extends Page {
  complaints: string[];
}

export async function openDocumentation(more: Partial<HandlerOptions> = {}): Promise<Documentation> {
  const { dataDir } = createContext({}, { timeoutMs: 1000 });
  const [browser, server] = await Promise.all([
    openBrowser({ args: BROWSER_ARGS, dataDir }),
    serve(openHost(more), { port: 0 }),
  ]);
  // The browser's own way out ends nowhere; what a test visits is on this machine.
  const newContext = () => browser.createBrowserContext({ proxyServer: "direct://" });
  let context: BrowserContext = await newContext();
  return {
    server,
    async open({ path = "/", width = 1280, dark = false, before } = {}) {
      // What the page remembers ends with the test.
      await context.close();
      context = await newContext();
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warn") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
      await before?.(page);
      await page.goto(server.url + path);
      await page.waitForSelector("main h1");
      return Object.assign(page, { complaints });
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Resolves when the page of an endpoint is shown. */
export const shown = (page: Page, id: string) =>
  page.waitForFunction(`document.querySelector('main h1')?.textContent === '${id}'`);

/** What axe-core finds wrong, as `rule: elements`. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}

/** Clicks the button of this text. */
export const press = (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
export const mainText = (page: Page) =>
  page.$eval("main", (main) => (main as unknown as { textContent: string }).textContent);
