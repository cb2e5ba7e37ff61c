/** A browser for looking at our own pages; that of the screenshots is confined and reaches nothing of ours. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import chromium from "@sparticuz/chromium";
import { launch, type Page } from "puppeteer-core";
import { announceSkip } from "./server.js";

/** Undefined where none starts, which is said loudly. */
export async function pageBrowser() {
  try {
    return await launch({ executablePath: await chromium.executablePath(), args: chromium.args, headless: "shell" });
  } catch (error) {
    announceSkip("our pages in a browser", String(error));
    return undefined;
  }
}

const axe = () => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with a page as it is, with the first element of each. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe());
  const found = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
  );
  return found as string[];
}
