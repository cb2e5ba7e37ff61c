/** The page of a 402 as a person sees it who opened a paid address. */
import "../support/typescript-workers.js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserStarts } from "../support/browser.js";
import {
  type Documentation,
  HOSTILE,
  mainText,
  openDocumentation,
  press,
  type Tab,
  violations,
} from "../support/docs-page.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { TREASURY } from "../support/wallets.js";

const starts = await browserStarts();
let docs: Documentation;
let tab: Tab | undefined;
const PATH = "/api/convert/unit?value=1&from=kg&to=lb";

beforeAll(async () => {
  if (starts) docs = await openDocumentation();
});
afterAll(() => docs?.close());
afterEach(async () => {
  // A browser tells each 402 as an error of its own; the page goes against no policy, and its script fails nowhere.
  expect(tab?.complaints.filter((text) => !/status of 402/.test(text)) ?? []).toEqual([]);
  await tab?.close();
  tab = undefined;
});
const open = async (path = PATH, options: Parameters<Documentation["open"]>[0] = {}) => {
  tab = await docs.open({ path, ...options });
  await tab.waitForSelector(".answer .quote");
  await tab.waitForSelector("#samples [role=tab]");
  return tab;
};

describe.skipIf(!starts)("a paid address in a browser", () => {
  test("says what it is, what it costs, how to try it, and what to write", async () => {
    const page = await open();
    const text = await mainText(page);
    for (const words of ["convert.unit", "0.001 USD", "You may try it free", "0.001 USDC on Base", TREASURY, "Code"])
      expect(text).toContain(words);
    expect(text).not.toContain("USD Coin");
    expect(await page.$eval(".sample pre", ({ textContent }) => textContent)).toContain(`${docs.server.url}${PATH}`);
    await press(page, "Try it free");
    await page.waitForSelector(".answer .cost");
    expect(await mainText(page)).toContain("2.20462");
  });

  test("has a wallet's button where the browser has a wallet", async () => {
    const page = await open(PATH, {
      before: (tab) => tab.evaluateOnNewDocument("window.ethereum = { request: async () => [] }"),
    });
    await press(page, "Pay 0.001 USDC from this browser's wallet");
    await page.waitForFunction(
      "/Not paid: The wallet shows no account/.test(document.querySelector('.answer').textContent)",
    );
  });

  test.each([375, 1280])("fits %i px without scrolling sideways, and axe-core finds nothing wrong", async (width) => {
    for (const dark of [false, true]) {
      const page = await open(PATH, { width, dark });
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      expect(await page.evaluate("window.scrollY")).toBe(0);
      const { width: room } = (await (await page.$(".paywall"))?.boundingBox()) ?? { width: 0 };
      expect(room).toBeGreaterThan(Math.min(width, 760) - 60);
      expect(await violations(page)).toEqual([]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${dark}.png`, fullPage: true });
      await page.close();
    }
    tab = undefined;
  });

  test("of a shop that is paid on Solana alone has code for Solana's wallets", async () => {
    const payment = {
      treasury: { solana: "9xAXssX9j7vuK99c7cFwqbixzL3bFrzPy9PUhCtDPAYJ" },
      facilitator: { url: FACILITATOR_URL },
      rpc: false,
    } as const;
    const solana = await openDocumentation({ payment });
    try {
      tab = await solana.open({ path: "/#convert.unit" });
      await tab.waitForSelector(".sample pre");
      for (const [language, words] of [
        ["TypeScript", '.register("solana:*", new ExactSvmScheme(account))'],
        ["Python", "register_exact_svm_client(client"],
      ] as const) {
        await tab.locator(`::-p-aria([name="${language}"][role="tab"])`).click();
        const code = await tab.$eval(".sample pre", ({ textContent }) => textContent ?? "");
        expect(code).toContain(words);
        expect(code).not.toMatch(/evm|viem|eth_account/i);
      }
      await tab.close();
      tab = undefined;
    } finally {
      await solana.close();
    }
  });

  test("runs nothing that its address says", async () => {
    const page = await open(
      `/api/field/near?lat=48&lon=11&kind=${encodeURIComponent("meadow")}&x=${encodeURIComponent(HOSTILE)}`,
    );
    expect(await page.title()).toBe("field.near · Acme Fields");
  });
});
