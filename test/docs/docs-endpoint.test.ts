/** The page of an endpoint as its readers have it: the form, the code, the answer, and what there is to read. */
import "../support/typescript-workers.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementHandle, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserStarts } from "../support/browser.js";
import { type Documentation, openDocumentation, press, shown, type Tab, violations } from "../support/docs-page.js";
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
const answered = (page: Page, selector = ".cost") => page.waitForSelector(`.answer ${selector}`);
const tabNames = (page: Page) =>
  page.$$eval('.answer [role="tab"]', (tabs) => tabs.map(({ textContent }) => textContent));

describe.skipIf(!starts)("an endpoint", () => {
  test("has its parameters, and code that follows the form", async () => {
    const page = await open({ path: "/#convert.unit" });
    expect(await page.$eval("#field-from", (input) => (input as unknown as { value: string }).value)).not.toBe("");
    await page.$eval("#field-value", (input) => Object.assign(input, { value: "" }));
    await page.type("#field-value", "17");
    const code = () => page.$eval(".sample pre", ({ textContent }) => textContent ?? "");
    expect(await code()).toContain(`curl -i '${docs.server.url}/api/convert/unit?value=17&`);
    for (const [language, words] of [
      ["TypeScript", "wrapFetchWithPayment(fetch, client)"],
      ["Python", "session.get("],
    ] as const) {
      await page.locator(`::-p-aria([name="${language}"][role="tab"])`).click();
      expect(await code()).toContain(words);
      expect(await code()).toContain("value=17");
    }
  });

  test.each([375, 1280])("%i px show the whole of a label's data, without scrolling or JSON", async (width) => {
    const page = await open({ path: "/#product.gs1", width });
    await press(page, "Try it free");
    await answered(page, "table");
    expect(
      await page.$eval(".answer .scroll", (region) => {
        const { clientWidth, scrollWidth } = region as unknown as { clientWidth: number; scrollWidth: number };
        return scrollWidth - clientWidth;
      }),
    ).toBe(0);
    const cells = await page.$$eval(".answer td > table td:last-child", (all) => all.map((one) => one.textContent));
    expect(cells).toEqual(["checkDigit: 3", "date: 2027-12-31", "–"]);
    expect(await page.$eval(".answer td > table caption", ({ textContent }) => textContent)).toBe("elements");
  });

  test("keeps the digits of money, draws no count of rows, and shows lines as lines", async () => {
    const page = await open({ path: "/#field.loan" });
    const code = () => page.$eval(".sample pre", ({ textContent }) => textContent ?? "");
    expect(await code()).toContain('"amount": "250000.10"');
    await page.$eval("#field-amount", (input) => Object.assign(input, { value: "" }));
    await page.type("#field-amount", "65");
    expect(await code()).toContain('"amount": 65');
    await press(page, "Try it free");
    await answered(page);
    expect(await tabNames(page)).toEqual(["Chart", "Table", "JSON"]);
    expect(await page.$$eval("#series option", (names) => names.map(({ textContent }) => textContent))).toEqual([
      "interest",
    ]);
    await page.locator('::-p-aria([name="Table"][role="tab"])').click();
    const note = await page.waitForSelector(".answer td.lines");
    expect(await note?.evaluate(({ textContent }) => textContent)).toBe("Paid\n| n | date |");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.answer td.lines')).whiteSpace")).toBe(
      "pre-wrap",
    );
  });

  test("has a table of errors that is read without scrolling", async () => {
    const page = await open({ path: "/#field.loan" });
    const [wide, box] = await page.$eval('[aria-label="Table of errors"]', (part) => [
      part.scrollWidth,
      part.clientWidth,
    ]);
    expect(wide).toBe(box);
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

describe.skipIf(!starts)("an answer", () => {
  const tried = async (id: string) => {
    const page = await open({ path: `/#${id}` });
    await press(page, "Try it free");
    await answered(page);
    return page;
  };
  const answerText = (page: Page) => page.$eval(".answer", ({ textContent }) => textContent ?? "");

  test("of one record shows the whole of it, lists within it included", async () => {
    const page = await tried("country.lookup");
    expect(await tabNames(page)).toEqual(["Table", "JSON"]);
    const text = await answerText(page);
    for (const fact of ["capitalHelsinki", "Euro", "Suomen tasavalta", "callingCodes+358"])
      expect(text).toContain(fact);
  });

  test("whose numbers do not change is a table and no flat line", async () => {
    const page = await tried("calendar.holidays");
    expect(await tabNames(page)).toEqual(["Table", "JSON"]);
    expect(await answerText(page)).toContain("Martin Luther King Jr. Day");
  });

  test("stays in view with the code beside a long form", async () => {
    const page = await tried("field.order");
    const seen = () =>
      page.$$eval(".sample pre, .answer, .actions button.primary", (parts) =>
        parts.map((part) => {
          const { top, bottom } = (part as unknown as HTMLElementLike).getBoundingClientRect();
          return top < 900 && bottom > 0;
        }),
      );
    expect(await seen()).toEqual([true, true, true]);
    await page.evaluate("document.querySelector('#source').scrollIntoView()");
    expect(await seen()).toEqual([true, true, true]);
  });

  test("can be enlarged, and goes back", async () => {
    const page = await tried("field.near");
    await press(page, "Enlarge");
    await page.waitForSelector("dialog[open] .answer .place");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])");
    await page.waitForSelector(".result > .answer .place");
  });
});

interface HTMLElementLike {
  getBoundingClientRect(): { top: number; bottom: number };
}

describe.skipIf(!starts)("before a call, the page", () => {
  const textAt = (page: Page, selector: string) => page.$eval(selector, ({ textContent }) => textContent ?? "");

  test("shows an answer: computed where nobody has to be asked, its shape elsewhere", async () => {
    const page = await open({ path: "/#country.lookup" });
    expect(await textAt(page, "#answer")).toBe("Example answer");
    expect(await textAt(page, ".answer")).toContain('"commonName": "Finland"');
    await page.goto(`${docs.server.url}/#barcode.generate`);
    await page.waitForFunction("document.querySelector('.answer img')?.naturalWidth > 50");
    await page.goto(`${docs.server.url}/#field.near`);
    await shown(page, "field.near");
    expect(await textAt(page, ".answer")).toContain(
      "The shape of an answer: its texts and numbers stand for real ones.",
    );
    expect(await textAt(page, ".answer")).toContain('"distanceKm": 0');
    expect(await textAt(page, ".answer")).toContain('"provider": "Field Office"');
  });

  test("tells what comes back as a tree, the errors, the price and how to pay, and the source", async () => {
    const page = await open({ path: "/#country.lookup" });
    const tree = await page.$$eval(".tree code", (names) => names.map(({ textContent }) => textContent));
    expect(tree).toEqual(expect.arrayContaining(["items", "capital", "currencies", "symbol", "total"]));
    expect(await textAt(page, ".tree")).toContain("areanumber or nullIn square kilometres");
    expect(await textAt(page, "[aria-labelledby=errors]")).toContain("404Not found; nothing was charged. NOT_FOUND");
    const price = await textAt(page, "[aria-labelledby=price]");
    expect(price).toContain("A call costs $0.0012; a failed call costs nothing");
    expect(price.match(/\. [A-Z]/g)).toHaveLength(2);
    expect(await page.$$eval("[aria-labelledby=price] a", (links) => links.length)).toBe(3);
    const source = await textAt(page, "[aria-labelledby=source]");
    expect(source).toContain("Source: mledoze/countries (world-countries). Licence: ODbL-1.0.");
    expect(source).toContain("Resale: share-alike.");
  });

  test("is copied as a prompt for a model", async () => {
    const page = await open({ path: "/#field.order" });
    await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }");
    await press(page, "Copy as prompt");
    await page.waitForFunction("document.body.textContent.includes('Copied')");
    const prompt = (await page.evaluate("copied")) as string;
    expect(prompt).toContain("Use the endpoint field.order of Acme Fields: What a basket of crops costs.");
    expect(prompt).toContain(`Request: POST ${docs.server.url}/api/field/order`);
    expect(prompt).toContain('"items":[{"crop":"rye","tonnes":2}]');
    expect(prompt).toContain("X-ACME-Trial: 1");
  });

  test("keeps the language of code that was chosen", async () => {
    const page = await open({ path: "/#field.near" });
    await page.locator('::-p-aria([name="Python"][role="tab"])').click();
    await page.goto(`${docs.server.url}/#convert.unit`);
    await shown(page, "convert.unit");
    expect(await textAt(page, ".sample pre")).toContain("session.get(");
  });
});

describe.skipIf(!starts)("a form", () => {
  const said = async (page: Page) => {
    await press(page, "Try it free");
    await page.waitForFunction("document.querySelector('.answer').getAttribute('aria-busy') === 'false'");
    await page.locator('.answer ::-p-aria([name="JSON"][role="tab"])').click();
    const { data } = JSON.parse(await page.$eval('.answer [role="tabpanel"]', ({ textContent }) => textContent ?? ""));
    return data.items[0];
  };
  const choose = (page: Page, selector: string, value: string) =>
    page.$eval(
      selector,
      (input, text) => {
        Object.assign(input, { value: text });
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
      value,
    );

  test("has pickers for colours, days and times, which write what is sent", async () => {
    const page = await open({ path: "/#field.scan" });
    expect(await page.$eval("#field-day", (input) => input.getAttribute("type"))).toBe("date");
    await choose(page, "input[type=color]", "#aabbcc");
    await choose(page, "input[type=datetime-local]", "2026-05-01T12:30");
    await page.type("#field-notes", "two\nlines");
    expect(await page.$eval(".sample pre", ({ textContent }) => textContent)).toContain('"background": "#aabbcc"');
    expect((await said(page)).said).toEqual({
      ...{ text: "green", day: "2026-05-01", at: "2026-05-01T12:30:00Z" },
      ...{ background: "#aabbcc", notes: "two\nlines" },
    });
    expect(await violations(page)).toEqual([]);
  });

  test("takes a file, sends its bytes, and names it in the code", async () => {
    const folder = await mkdtemp(join(tmpdir(), "file-"));
    const file = join(folder, "meadow.png");
    await writeFile(file, Buffer.alloc(5000, 7));
    const page = await open({ path: "/#field.scan" });
    const input = await page.$("input[type=file]");
    await (input as ElementHandle<never>).uploadFile(file);
    await page.waitForFunction(
      "document.querySelector('.sample pre').textContent.includes('the base64 of meadow.png')",
    );
    expect(await page.$eval("#field-file", (text) => text.getAttribute("placeholder"))).toBe("meadow.png, 5,000 bytes");
    // The file is the picture now, and the words of the example are gone.
    expect(await said(page)).toEqual({ bytes: 5000, said: { day: "2026-05-01", background: "#ffffff" } });
    await page.type("#field-file", "AAAA");
    expect((await said(page)).bytes).toBe(3);
    await rm(folder, { recursive: true });
  });
});
