import { readText } from "../config/data.js";
import { FILE } from "../config/host-file.js";
import { hostFileOf } from "../config/serve-file.js";
import type { Invocation } from "../invocation.js";
import { packageFile } from "../package-files.js";
import { didYouMean, UsageError } from "../usage.js";

const ACTS = ["check", "schema"];

/** Judges a configuration file, or prints the schema by which editors help to write one. */
export async function run({ terminal, words, env }: Invocation): Promise<number> {
  const [act = "", file = FILE, ...more] = words;
  if (!ACTS.includes(act) || more.length > 0)
    throw new UsageError(`coinslot config check ${FILE}, or coinslot config schema.${didYouMean(act, ACTS)}`);
  if (act === "schema") {
    const { fileURLToPath } = await import("node:url");
    terminal.out(await readText(fileURLToPath(packageFile("deploy/coinslot.schema.json")), 1024 * 1024));
    return 0;
  }
  const { options, rules, store } = await hostFileOf(file, env);
  const { capabilities, payment } = options;
  const stopped = Object.keys(rules.stopped).length;
  terminal.table(
    [
      ["file", `${file} is right`],
      ["sells", `${capabilities.length} endpoints${stopped > 0 ? `, ${stopped} of them stopped` : ""}`],
      ["payments", payment === false ? "none: every call is free" : "on"],
      ["state", store?.postgres ? "Postgres" : store?.redis ? "Redis" : "of the environment, or in memory"],
    ].map(([name = "", value = ""]) => [terminal.dim(name), value]),
  );
  return 0;
}
