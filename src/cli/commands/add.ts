/** `coinslot add`: installs the packages of features. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isInstalled } from "../../lib/packages/installed.js";
import { all } from "../catalogue.js";
import { featuresOf } from "../features.js";
import { managerOf } from "../install.js";
import type { Invocation } from "../invocation.js";
import { didYouMean, UsageError } from "../usage.js";

export async function run({ terminal, words, options }: Invocation): Promise<number> {
  const lacking = packagesOf(words).filter((name) => !isInstalled(name));
  if (lacking.length === 0) {
    terminal.note(`${terminal.green("Nothing to do:")} all packages of ${words.join(", ")} are installed.`);
    return 0;
  }
  const command = managerOf(process.cwd()).command(lacking);
  if (options["dry-run"]) {
    terminal.out(command.join(" "));
    return 0;
  }
  terminal.note(command.join(" "));
  return runCommand(command);
}

const ALL = "all";

/** The packages of features, each once. Throws a UsageError that lists all features. */
function packagesOf(words: readonly string[]): string[] {
  const features = featuresOf(all);
  const named = [[ALL, "every optional package"], ...[...features].map(([name, { what }]) => [name, what])];
  const list = named.map(([name = "", what]) => `  ${name.padEnd(14)}  ${what}`).join("\n");
  if (words.length === 0) throw new UsageError(`Name a feature: coinslot add ai. There are:\n${list}`);
  const packages = words.flatMap((word) => {
    if (word === ALL) return [...features.values()].flatMap((feature) => feature.packages);
    const feature = features.get(word);
    if (feature) return feature.packages;
    throw new UsageError(
      `Unknown feature "${word}".${didYouMean(word, [ALL, ...features.keys()])} There are:\n${list}`,
    );
  });
  return [...new Set(packages)].sort();
}

/** Resolves to the exit code. No word of the command comes from the caller, so that the shell that Windows needs is safe. */
async function runCommand([name = "", ...words]: string[]): Promise<number> {
  const child = spawn(name, words, { stdio: "inherit", shell: process.platform === "win32" });
  child.once("error", () => {});
  const [code] = await once(child, "exit").catch((cause: unknown) => {
    throw new Error(`${name} cannot be started. Run it yourself: ${[name, ...words].join(" ")}`, { cause });
  });
  return code === 0 ? 0 : 1;
}
