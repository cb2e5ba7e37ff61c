/** The documentation page as its readers have it: in a browser, with a mouse, a keyboard or a screen reader. */
import "../support/typescript-workers.js";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserStarts } from "../support/browser.js";
import { type Documentation, fields, mainText, openDocumentation, press, type Tab } from "../support/docs-page.js";
import { TREASURY } from "../support/wallets.js";

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
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds wrong, as `rule: elements`. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`);
}

const answered = (page: Page, selector = ".cost") => page.waitForSelector(`.answer ${selector}`);
const tabNames = (page: Page) =>
  page.$$eval('.answer [role="tab"]', (tabs) => tabs.map(({ textContent }) => textContent));

describe.skipIf(!starts)("the catalogue", () => {
  test("shows the host's brand, and every endpoint by group with its price", async () => {
    const page = await open();
    expect(await page.title()).toBe("Acme Fields");
    const text = await mainText(page);
    for (const { id, summary, price } of fields)
      expect(text).toContain(`${id}${price.mode === "fixed" ? price.usd : ""} USD${summary}`);
    expect(await page.$$eval("main h2", (heads) => heads.map(({ textContent }) => textContent))).toEqual([
      ...["field", "convert", "barcode", "countdown"],
    ]);
  });

  test("finds an endpoint for a task", async () => {
    const page = await open();
    await page.type("#search", "kilograms to pounds");
    await page.waitForFunction("document.querySelector('main h1').textContent.includes('kilograms to pounds')");
    expect(await page.$eval(".cards a", ({ textContent }) => textContent)).toBe("convert.unit");
    await page.click(".cards a");
    await page.waitForFunction("document.querySelector('main h1').textContent === 'convert.unit'");
    expect(await page.title()).toBe("convert.unit · Acme Fields");
  });

  test("stands below the base path, too", async () => {
    const page = await open({ path: "/api/docs#convert.unit" });
    expect(await mainText(page)).toContain("GET /api/convert/unit");
  });
});

describe.skipIf(!starts)("an endpoint", () => {
  test("has its parameters, and code that follows the form", async () => {
    const page = await open({ path: "/#convert.unit" });
    expect(await page.$eval("#field-from", (input) => (input as unknown as { value: string }).value)).not.toBe("");
    await page.$eval("#field-value", (input) => Object.assign(input, { value: "" }));
    await page.type("#field-value", "17");
    const shown = () => page.$eval(".sample pre", ({ textContent }) => textContent ?? "");
    expect(await shown()).toContain(`curl -i '${docs.server.url}/api/convert/unit?value=17&`);
    for (const [language, words] of [
      ["TypeScript", "wrapFetchWithPayment(fetch, client)"],
      ["Python", "session.get("],
    ] as const) {
      await page.locator(`::-p-aria([name="${language}"][role="tab"])`).click();
      expect(await shown()).toContain(words);
      expect(await shown()).toContain("value=17");
    }
  });

  test("is tried free, and a table shows the answer", async () => {
    const page = await open({ path: "/#convert.unit" });
    await press(page, "Try it free");
    await answered(page);
    expect(await page.$eval(".cost", ({ textContent }) => textContent)).toContain("Free trial");
    expect(await tabNames(page)).toEqual(["Table", "JSON"]);
    expect(await page.$eval(".answer table", ({ textContent }) => textContent)).toContain("lb");
  });

  test("shows places on a map, with coordinates, a scale and the point that was asked about", async () => {
    const page = await open({ path: "/#field.near" });
    await press(page, "Try it free");
    await answered(page);
    expect(await tabNames(page)).toEqual(["Map", "Table", "JSON"]);
    expect(await page.$$eval(".answer .place", (places) => places.length)).toBe(5);
    const text = await page.$eval(".answer svg", ({ textContent }) => textContent ?? "");
    expect(text).toMatch(/\d+ km/);
    expect(text).toContain("48° N");
    expect(text).toContain("North meadow");
    expect(await page.$(".answer .from")).not.toBeNull();
  });

  test("shows a series as a line", async () => {
    const page = await open({ path: "/#field.history" });
    await press(page, "Try it free");
    await answered(page);
    expect(await tabNames(page)).toEqual(["Chart", "Table", "JSON"]);
    const points = await page.$eval(".answer polyline", (line) => line.getAttribute("points")?.split(" ").length);
    expect(points).toBe(40);
    await page.select("#series", "rainMm");
    expect(await page.$eval(".answer svg", (svg) => svg.getAttribute("aria-label"))).toContain("rainMm by date");
  });

  test.each(["barcode.generate", "countdown.gif"])("shows the picture of %s", async (id) => {
    const page = await open({ path: `/#${id}` });
    await press(page, "Try it free");
    await answered(page, "img");
    await page.waitForFunction("document.querySelector('.answer img').naturalWidth > 50");
  });

  test("has a form as nested as its input, which says what was filled in and where it is wrong", async () => {
    const page = await open({ path: "/#field.order" });
    const order = async () => {
      await press(page, "Try it free");
      await page.waitForFunction("document.querySelector('.answer').getAttribute('aria-busy') === 'false'");
      await page.locator('.answer ::-p-aria([name="JSON"][role="tab"])').click();
      return JSON.parse(await page.$eval('.answer [role="tabpanel"]', ({ textContent }) => textContent ?? "")).order;
    };
    const fill = async (path: string, value: string) => {
      await page.$eval(`[id="field-${path}"]`, (input) => Object.assign(input, { value: "" }));
      await page.type(`[id="field-${path}"]`, value);
    };
    expect(await page.$eval('[id="field-seller"]', (part) => part.hasAttribute("open"))).toBe(false);
    await press(page, "Add to items");
    await fill("items.1.crop", "oats");
    await fill("items.1.tonnes", "7");
    await page.select('[id="field-delivery.by"]', "rail");
    await fill("delivery.wagons", "3");
    await fill("notes", "by hand\nsoon");
    expect(await page.$eval(".sample pre", ({ textContent }) => textContent)).toContain('"oats"');
    const oats = { crop: "oats", tonnes: 7 };
    const rest = { delivery: { by: "rail", wagons: 3 }, notes: ["by hand", "soon"] };
    expect(await order()).toEqual({ items: [{ crop: "rye", tonnes: 2 }, oats], ...rest });
    await press(page, "Remove items.0");
    expect(await order()).toEqual({ items: [oats], ...rest });
    await fill("items.0.tonnes", "700");
    await press(page, "Try it free");
    await page.waitForSelector('[id="field-items.0.tonnes"][aria-invalid="true"]');
    expect(await page.$eval('[id="field-items.0.tonnes-issue"]', ({ textContent }) => textContent)).toContain("100");
    tab?.complaints.splice(0);
  });

  test("says what is wrong at the field", async () => {
    const page = await open({ path: "/#convert.unit" });
    await page.$eval("#field-to", (input) => Object.assign(input, { value: "" }));
    await press(page, "Ask the price");
    await answered(page, "h3");
    expect(await page.$eval(".answer h3", ({ textContent }) => textContent)).toContain("INVALID_INPUT");
    expect(await page.$eval("#field-to", (input) => input.getAttribute("aria-invalid"))).toBe("true");
    // The browser itself tells of every answer that is no success.
    tab?.complaints.splice(0);
  });

  test("explains the 402 in words: what it costs, to whom it goes, on which network", async () => {
    const page = await open({ path: "/#field.near" });
    await press(page, "Ask the price");
    await answered(page, ".quote");
    const text = await page.$eval(".quote", ({ textContent }) => textContent ?? "");
    expect(text).toContain("0.002");
    expect(text).toContain("on Base");
    expect(text).toContain(TREASURY);
    expect(text).toContain("open this page in a browser with an Ethereum wallet");
    tab?.complaints.splice(0);
  });
});

describe.skipIf(!starts)("for everybody", () => {
  test.each([
    ["light", false],
    ["dark", true],
  ])("axe-core finds nothing wrong in %s", async (_, dark) => {
    const page = await open({ dark });
    expect(await violations(page)).toEqual([]);
    for (const id of ["field.near", "field.history", "field.order", "barcode.generate", "field.hostile"]) {
      await page.goto(`${docs.server.url}/#${id}`);
      await page.waitForFunction(`document.querySelector('main h1').textContent === '${id}'`);
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
    await page.waitForFunction("document.querySelector('main h1').textContent.includes('kilograms to pounds')");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("convert.unit");
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

  test("a phone scrolls in one direction only", async () => {
    const page = await open({ width: 360 });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(await overflow()).toBe(0);
    for (const id of ["field.near", "field.history", "field.order", "barcode.generate", "field.hostile"]) {
      await page.goto(`${docs.server.url}/#${id}`);
      await page.waitForFunction(`document.querySelector('main h1').textContent === '${id}'`);
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
