/** Tells the host at its start what is missing here: packages, keys, the option wallets. Buyers are told only that it is. */
import type { AnyCapability } from "../../capability/types.js";
import { type Catalogue, modelsNeed } from "../../host/catalogue.js";
import type { Logger } from "../../lib/logger.js";
import { isInstalled, toInstall } from "../../lib/packages/installed.js";
import { onWorkers } from "../../lib/packages/platform.js";

/** Packages of the embedded database of wallets. */
const DATABASE_PACKAGES = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"];

/** Names of missing packages and settings, each with the ids of the endpoints that want it. */
export interface Lacks {
  endpoints: number;
  /** How many of them can be sold here. */
  sold: number;
  packages: Map<string, string[]>;
  /** Names of secrets and settings, `wallets` for that option, and on Workers `files`. */
  settings: Map<string, string[]>;
}

/** The option `wallets`, or the packages without which its embedded database cannot be opened. */
export function usableWallets<W extends { db?: unknown }>(
  wallets: W | undefined,
): { wallets: W | undefined; withoutDatabase: readonly string[] } {
  const lacking = !wallets || wallets.db ? [] : DATABASE_PACKAGES.filter((name) => !isInstalled(name));
  return { wallets: lacking.length > 0 ? undefined : wallets, withoutDatabase: lacking };
}

/** The packages of the database in place of the option `wallets`, which the host has set. */
export const byPackage = (names: string[], withoutDatabase: readonly string[]): string[] =>
  withoutDatabase.length === 0 ? names : names.flatMap((name) => (name === "wallets" ? withoutDatabase : [name]));

/** Looks at each endpoint. */
export function lacksOf({ capabilities, missing }: Pick<Catalogue, "capabilities" | "missing">): Lacks {
  const lacks: Lacks = { endpoints: capabilities.length, sold: 0, packages: new Map(), settings: new Map() };
  const note = (to: Map<string, string[]>, name: string, { id }: AnyCapability) =>
    to.set(name, [...(to.get(name) ?? []), id]);
  for (const capability of capabilities) {
    const names = missing(capability);
    if (names.length === 0) lacks.sold++;
    const packages = new Set([...capability.packages, ...DATABASE_PACKAGES]);
    for (const name of names) note(packages.has(name) ? lacks.packages : lacks.settings, name, capability);
  }
  return lacks;
}

const inWords = (name: string) => (name === "wallets" ? "the option wallets" : name);

/**
 * A database that cannot be opened at once, and all else when the start is over, since looking for packages takes time. The
 * result ends what is still to be told.
 */
export function tellStart(catalogue: Catalogue, withoutDatabase: readonly string[], logger: Logger): () => void {
  if (withoutDatabase.length > 0) tellLackingDatabase(withoutDatabase, logger);
  // Looking costs nothing there, and a timer outside of a request is an error.
  if (onWorkers()) {
    tellLacks(catalogue, logger);
    return () => {};
  }
  const waiting = setImmediate(() => tellLacks(catalogue, logger));
  waiting.unref();
  return () => clearImmediate(waiting);
}

function tellLackingDatabase(names: readonly string[], logger: Logger): void {
  const which = names.length === 1 ? "a package that is" : "packages that are";
  logger.error(
    { packages: names },
    `wallets: their database needs ${which} not installed: ${toInstall(...names)}. Until then what keeps state for wallets answers 502, and payments are kept in memory`,
  );
}

/** One line: how many endpoints can be sold, and what brings the others. */
function tellLacks(catalogue: Catalogue, logger: Logger): void {
  const { endpoints, sold, packages, settings } = lacksOf(catalogue);
  const names = [...packages.keys()];
  const facts = { endpoints, sold, packages: names, settings: [...settings.keys()] };
  const rest = [
    ...(names.length > 0 ? [`packages: ${toInstall(...names)}`] : []),
    ...(settings.size > 0 ? [`settings: ${[...settings.keys()].map(inWords).join(", ")}`] : []),
  ];
  const sentence =
    sold === endpoints
      ? `all ${endpoints} endpoints can be sold here`
      : `${sold} of ${endpoints} endpoints can be sold here; the others answer 502 for want of ${rest.join("; ")}`;
  if (names.length > 0) logger.warn(facts, sentence);
  else logger.info(facts, sentence);
  const needed = modelsNeed(catalogue);
  if (needed)
    logger.warn(
      { packages: [needed] },
      `mcp: models cannot ask at ${catalogue.basePath}/mcp: ${toInstall(needed)}, or set mcp: false to leave it out`,
    );
}
