import { all } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { serveUntilStopped } from "../serving.js";

/** Serves until it is stopped. */
export const run = (invocation: Invocation): Promise<number> =>
  serveUntilStopped(invocation, {
    capabilities: all,
    example: (paid, url) => `curl '${url}/api/convert/unit?value=150&from=lb&to=kg${paid ? "&trial=1" : ""}'`,
  });
