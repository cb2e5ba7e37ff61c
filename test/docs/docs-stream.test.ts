/** The documentation page shows an answer while it arrives. */
import "../support/typescript-workers.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { browserStarts } from "../support/browser.js";
import { type Documentation, openDocumentation, press, violations } from "../support/docs-page.js";

const starts = await browserStarts();
const state = { ended: 0, goOn: () => {} };
const tell = defineOwnCapability({
  id: "field.tell",
  summary: "Tells of a field, word by word.",
  price: "0.001",
  source: { provider: "Field Office", url: "https://fields.example", license: "CC0" },
  input: () =>
    z.strictObject({
      words: z.int().min(1).max(1000).describe("How many"),
      letters: z.int().min(1).max(100_000).default(1).describe("How long each is"),
    }),
  output: legacy(() => z.object({ words: z.number() })),
  example: { words: 2, letters: 1 },
  async *stream({ words, letters }, { signal }) {
    try {
      for (let word = 1; word <= words; word++) {
        if (word === 2 && words < 100) await new Promise<void>((resolve) => Object.assign(state, { goOn: resolve }));
        signal.throwIfAborted();
        yield { choices: [{ delta: { content: `${word}:${"x".repeat(letters)} ` } }] };
      }
    } finally {
      state.ended++;
    }
    return { words };
  },
});

let docs: Documentation;
beforeAll(async () => {
  if (starts) docs = await openDocumentation({ capabilities: [tell] });
});
afterAll(() => docs?.close());

const open = async (words: number, letters = 1) => {
  const page = await docs.open({ path: "/#field.tell" });
  for (const [name, value] of Object.entries({ words, letters })) {
    await page.$eval(`#field-${name}`, (input) => Object.assign(input, { value: "" }));
    await page.type(`#field-${name}`, String(value));
  }
  await press(page, "Try it free");
  return page;
};
const shows = (text: string) => `document.querySelector('.answer')?.textContent.includes('${text}')`;

describe.skipIf(!starts)("STR-18 the documentation page shows a stream", () => {
  test("while it arrives, and its cost at the end", async () => {
    const page = await open(2);
    await page.waitForFunction(shows("1:x"));
    expect(await page.evaluate(shows("2:x"))).toBe(false);
    expect(await violations(page)).toEqual([]);
    state.goOn();
    await page.waitForFunction(shows("2:x"));
    await page.waitForFunction(shows("Free trial"));
    expect(await page.evaluate(shows("Stop"))).toBe(false);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test("until its reader stops it, which ends the work", async () => {
    const page = await open(2);
    await page.waitForFunction(shows("1:x"));
    const before = state.ended;
    await press(page, "Stop");
    await page.waitForFunction(shows("Stopped"));
    await vi.waitFor(() => {
      state.goOn();
      expect(state.ended).toBeGreaterThan(before);
    });
    await page.close();
  });

  test("in one text that does not grow without end", async () => {
    const page = await open(100, 5000);
    await page.waitForFunction(shows("Free trial"));
    const [length, nodes] = (await page.evaluate(
      "[document.querySelector('.answer pre').textContent.length, document.querySelectorAll('.answer *').length]",
    )) as [number, number];
    expect(length).toBe(100_000);
    expect(nodes).toBeLessThan(10);
    await page.close();
  });
});
