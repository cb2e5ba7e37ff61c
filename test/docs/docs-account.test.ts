/** The documentation page of a host with accounts, as a visitor with a key has it: in a browser. */
import "../support/typescript-workers.js";
import { expect, test } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { browserStarts } from "../support/browser.js";
import { openDocumentation, openHost } from "../support/docs-page.js";

const starts = await browserStarts();

test.skipIf(!starts)(
  "a key pays from its account by its own button, and is nowhere once the page is left",
  async () => {
    const options = { store: createMemoryStore(), accounts: { keys: true } };
    const host = openHost(options);
    await host.accounts.topUp("acme", "1", { reference: "first" });
    const { key } = await host.accounts.createKey("acme");
    const docs = await openDocumentation(options);
    const page = await docs.open({ path: "/#convert.unit" });
    const field = 'input[aria-label="Key of your account"]';
    const byKey = () =>
      page.$$eval("button", (all) => all.find(({ textContent }) => textContent === "Call with your key")?.click());
    try {
      await page.waitForSelector(field);
      await byKey();
      await page.type(field, key);
      await byKey();
      await page.waitForSelector(".answer .cost");
      // The click without a key called nothing.
      expect(await host.accounts.entries("acme")).toMatchObject([{ kind: "topup" }, { kind: "sale" }]);
      expect((await host.accounts.balance("acme")).availableUsd).toBe("0.999");
      const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
      expect(kept).not.toContain(key);
      await page.reload();
      await page.waitForSelector(field);
      expect(await page.$eval(field, (input) => (input as unknown as { value: string }).value)).toBe("");
      expect(page.complaints).toEqual([]);
    } finally {
      await docs.close();
      await host.close();
    }
  },
);
