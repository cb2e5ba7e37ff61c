import { all } from "../catalogue.js";
import type { Invocation } from "../invocation.js";
import { serveUntilStopped } from "../serving.js";

/** Serves until it is stopped: by a configuration file, or by the environment alone. */
export async function run(invocation: Invocation): Promise<number> {
  const { config } = invocation.options;
  if (typeof config === "string") return (await import("../config/serve-file.js")).serveFile(invocation, config);
  return serveUntilStopped(invocation, {
    capabilities: all,
    example: (paid, url) => `curl '${url}/api/convert/unit?value=150&from=lb&to=kg${paid ? "&trial=1" : ""}'`,
  });
}
