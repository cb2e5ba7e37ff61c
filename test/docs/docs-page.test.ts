/** The documentation page as its readers have it: in a browser, with a mouse, a keyboard or a screen reader. */
import "../support/typescript-workers.js";
import type { Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserStarts } from "../support/browser.js";
import {
  type Documentation,
  fields,
  mainText,
  openDocumentation,
  press,
  shown,
  type Tab,
  violations,
} from "../support/docs-page.js";

const starts = await browserStarts();
let docs: Documentation;
let tab: Tab | undefined;

beforeAll(async () => {
  if (starts) docs = await openDocumentation();
});
afterAll(() => docs?.close());
afterEach(async () => {
  // Nothing that the page does may go against its own policy, or fail unseen.
  expect(tab?.complaints ?? []).toEqual([]);
  await tab?.close();
  tab = undefined;
});

const open = async (options: Parameters<Documentation["open"]>[0] = {}) => {
  tab = await docs.open(options);
  return tab;
};
const answered = (page: Page, selector = ".cost") => page.waitForSelector(`.answer ${selector}`);

describe.skipIf(!starts)("the front page", () => {
  test("says what this is to a reader who never heard of x402", async () => {
    const page = await open();
    expect(await page.title()).toBe("Acme Fields");
    const text = await mainText(page);
    expect(text).toContain(`${fields.length - 1} endpoints, paid by the call`);
    expect(text).toContain("without an account, a key or a subscription.");
    expect(text).toContain("“402 Payment Required”. It states what this call costs, from $0.001,");
    expect(text).toContain("A wallet with digital dollars (USDC) signs that amount");
    expect(text).toContain("20 calls an hour of each endpoint are free");
    expect(text).toContain(`connect to ${docs.server.url}/api/mcp`);
  });

  test("has every endpoint by group with its price, and those that are unavailable folded at the end", async () => {
    const page = await open();
    const text = await mainText(page);
    for (const { id, summary, price } of fields)
      expect(text).toContain(`${id}${price.mode === "fixed" ? `$${price.usd}` : ""}${summary}`);
    expect(await page.$$eval("main h2", (heads) => heads.map(({ textContent }) => textContent))).toEqual([
      ...["field", "convert", "barcode", "countdown", "country", "calendar", "product"],
    ]);
    const folded = await page.$eval(".missing", (part) => [part.hasAttribute("open"), part.textContent]);
    expect(folded[0]).toBe(false);
    expect(folded[1]).toContain("1 endpoint is not available on this service");
    expect(folded[1]).toContain("field.locked");
    expect(await page.$$eval("main section a", (links) => links.map(({ textContent }) => textContent))).not.toContain(
      "field.locked",
    );
  });

  test("shows first what was opened last", async () => {
    const page = await open({ path: "/#field.near" });
    await page.goto(`${docs.server.url}/#convert.unit`);
    await shown(page, "convert.unit");
    const inSidebar = () => page.$$eval("#sidebar > ul a", (links) => links.map(({ textContent }) => textContent));
    expect(await inSidebar()).toEqual(["field.near"]);
    await page.click(".brand");
    await page.waitForSelector("#recent");
    expect(await inSidebar()).toEqual(["convert.unit", "field.near"]);
    expect(await page.$eval("[aria-labelledby=recent]", ({ textContent }) => textContent)).toContain("convert.unit");
  });

  test("has a sidebar with a group for each, which opens where the reader is", async () => {
    const page = await open({ path: "/#field.near" });
    const groups = () =>
      page.$$eval("#sidebar details", (parts) =>
        parts.map((part) => `${part.firstChild?.textContent}${part.hasAttribute("open") ? " open" : ""}`),
      );
    expect(await groups()).toEqual([
      ...[
        "field 6 open",
        "convert 1",
        "barcode 1",
        "countdown 1",
        "country 1",
        "calendar 1",
        "product 1",
        "Not available here 1",
      ],
    ]);
    expect(await page.$eval("#sidebar [aria-current]", ({ textContent }) => textContent)).toBe("near");
    await page.click('#sidebar a[href="#field.order"]');
    await shown(page, "field.order");
    expect(await page.title()).toBe("field.order · Acme Fields");
  });

  test("stands below the base path, too", async () => {
    const page = await open({ path: "/api/docs#convert.unit" });
    expect(await mainText(page)).toContain("GET /api/convert/unit");
  });
});

describe.skipIf(!starts)("the search", () => {
  const options = (page: Page) =>
    page.$$eval("#found [role=option] strong", (found) => found.map(({ textContent }) => textContent));
  const found = (page: Page) => page.waitForSelector("#found [aria-selected=true]");

  test("opens by /, finds an endpoint for a task without what is about something else, and follows the arrows", async () => {
    const page = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("kilograms to pounds");
    await found(page);
    expect(await options(page)).toEqual(["convert.unit"]);
    expect(await page.$eval("#said", ({ textContent }) => textContent)).toBe("1 found. Arrow keys choose.");
    await page.keyboard.press("Escape");
    expect(await page.$eval("#search", (box) => box.getAttribute("aria-expanded"))).toBe("false");
    await page.$eval("#search", (box) => Object.assign(box, { value: "" }));
    await page.keyboard.type("field.");
    await page.waitForFunction("document.querySelectorAll('#found strong').length > 4");
    expect((await options(page)).slice(0, 5)).toEqual([
      ...["field.near", "field.history", "field.hostile", "field.order", "field.scan"],
    ]);
    await page.keyboard.press("ArrowDown");
    expect(await page.$eval("#search", (box) => box.getAttribute("aria-activedescendant"))).toBe("found-1");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await shown(page, "field.history");
  });

  test("says that there is nothing", async () => {
    const page = await open();
    await page.type("#search", "qqqqqq");
    await page.waitForFunction("document.querySelector('#said').textContent === 'Nothing found for qqqqqq'");
    expect(await violations(page)).toEqual([]);
  });
});

describe.skipIf(!starts)("for everybody", () => {
  test.each([
    ["light", false],
    ["dark", true],
  ])("axe-core finds nothing wrong in %s", async (_, dark) => {
    const page = await open({ dark });
    expect(await violations(page)).toEqual([]);
    for (const id of [
      "field.near",
      "field.history",
      "field.order",
      "field.scan",
      "barcode.generate",
      "country.lookup",
      "field.hostile",
    ]) {
      await page.goto(`${docs.server.url}/#${id}`);
      await shown(page, id);
      await press(page, "Try it free");
      await answered(page);
      expect(await violations(page), id).toEqual([]);
    }
    await press(page, "Ask the price");
    await answered(page, ".quote");
    expect(await violations(page)).toEqual([]);
    tab?.complaints.splice(0);
  });

  test("the keyboard alone is enough", async () => {
    const page = await open();
    const focused = () => page.evaluate("document.activeElement.textContent || document.activeElement.id");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("search");
    await page.keyboard.type("kilograms to pounds");
    await page.waitForSelector("#found [aria-selected=true]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#field-value");
    // The new page is where the reader is.
    expect(await focused()).toBe("convert.unit");
    await page.focus("#field-value");
    await page.keyboard.press("Enter");
    await answered(page);
    await page.focus('.answer [role="tab"]');
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("JSON");
    expect(await page.$eval('.answer [role="tabpanel"]', ({ textContent }) => textContent)).toContain('"items"');
  });

  test("a first visit asks this service alone, for at most 100 kB, and nothing moves when it comes", async () => {
    const seen: string[] = [];
    const page = await open({
      path: "/#country.lookup",
      before: async (tab) => {
        tab.on("request", (request) => seen.push(request.url()));
        await tab.evaluateOnNewDocument(`
          window.moved = 0;
          new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.moved += value }))
            .observe({ type: "layout-shift", buffered: true });`);
      },
    });
    await page.waitForSelector(".answer .json");
    const bytes = await page.evaluate(`
      ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(100_000);
    const { url } = docs.server;
    expect(seen.map((asked) => asked.replace(url, "")).sort()).toEqual([
      ...["/#country.lookup", "/api/docs/app.js", "/api/docs/endpoint.json?id=country.lookup"],
      ...["/api/docs/style.css", "/api/favicon.svg"],
    ]);
    expect(await page.evaluate("moved")).toBeLessThan(0.01);
  });

  test("a phone scrolls in one direction only", async () => {
    const page = await open({ width: 360 });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(await overflow()).toBe(0);
    for (const id of [
      "field.near",
      "field.history",
      "field.order",
      "field.scan",
      "barcode.generate",
      "country.lookup",
      "field.hostile",
    ]) {
      await page.goto(`${docs.server.url}/#${id}`);
      await shown(page, id);
      await press(page, "Try it free");
      await answered(page);
      expect(await overflow(), id).toBe(0);
    }
  });
});

describe.skipIf(!starts)("what others write", () => {
  test("runs nothing: summary, source, parameters, input, answer", async () => {
    const page = await open({ path: "/#field.hostile" });
    await press(page, "Try it free");
    await answered(page, "table");
    expect(await mainText(page)).toContain("<script>");
    expect(await page.$$("main img, main script")).toHaveLength(0);
    expect(
      await page.$$eval("main a", (links) =>
        links.map((link) => link.getAttribute("href")).filter((href) => href?.startsWith("javascript")),
      ),
    ).toEqual([]);
    expect(await page.title()).toBe("field.hostile · Acme Fields");
  });
});
