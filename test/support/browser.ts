import { createContext } from "../../src/capability/context.js";
import { openBrowser } from "../../src/engines/browser/chromium.js";
import { announceSkip } from "./server.js";
import { BROWSER_ARGS } from "./site.js";

/** Whether a browser starts on this machine; says loudly when none does, and the tests that need one are skipped. */
export async function browserStarts(): Promise<boolean> {
  try {
    const { dataDir } = createContext({}, { timeoutMs: 1000 });
    const browser = await openBrowser({ args: BROWSER_ARGS, dataDir });
    await browser.close();
    return true;
  } catch (error) {
    announceSkip("pages in a browser", String(error));
    return false;
  }
}
