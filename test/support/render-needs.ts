/** docs/packages.md and a line of the README: what works at once, and what the other endpoints want. */
import type { AnyCapability } from "../../src/capability/types.js";
import { installable } from "../../src/errors.js";
import { megabytesOf } from "./installed-tree.js";
import { withBetween } from "./render-indexes.js";

const DATABASE = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"];

interface Needs {
  packages: readonly string[];
  keys: readonly string[];
  wallets: boolean;
}

const needsOf = ({ packages, requires, wallet }: AnyCapability): Needs => ({
  packages,
  keys: requires,
  wallets: wallet !== undefined,
});

const isFree = ({ packages, keys, wallets }: Needs) => packages.length === 0 && keys.length === 0 && !wallets;

/** Native code differs by platform, so that a size is one of few steps. */
const STEPS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200];
function about(megabytes: number): string {
  if (megabytes < 0.7) return "< 1";
  return String(STEPS.reduce((best, step) => (Math.abs(step - megabytes) < Math.abs(best - megabytes) ? step : best)));
}

const idsOf = (some: readonly AnyCapability[]) => some.map(({ id }) => `\`${id}\``).join(", ");

function counts(capabilities: readonly AnyCapability[]) {
  const all = capabilities.map(needsOf);
  const only = (of: (needs: Needs) => boolean) => all.filter(of).length;
  return {
    all: all.length,
    free: only(isFree),
    packages: only(({ packages }) => packages.length > 0),
    keys: only(({ keys }) => keys.length > 0),
    wallets: only(({ wallets }) => wallets),
  };
}

/** A text with the numbers between `<!-- needs -->` and `<!-- /needs -->`. */
export function withNeedsLine(text: string, capabilities: readonly AnyCapability[]): string {
  const { all, free, packages, keys, wallets } = counts(capabilities);
  return withBetween(
    text,
    "needs",
    `${free} of the ${all} endpoints answer at once. ${packages} require an optional package (\`npx coinslot add all\` brings every one), ${keys} a key of their\nsource, and ${wallets} the option \`wallets\`: [what each of them wants](docs/packages.md). The start logs what is missing, and only that\nanswers 502.`,
  );
}

/** A text with the tables between `<!-- packages -->` and `<!-- /packages -->`, and so on. */
export function withNeedsTables(text: string, capabilities: readonly AnyCapability[]): string {
  const free = capabilities.filter((one) => isFree(needsOf(one)));
  const names = [...new Set(capabilities.flatMap(({ packages }) => packages))].sort();
  const rows = names.map((name) => {
    const users = capabilities.filter(({ packages }) => packages.includes(name));
    return `| \`${installable(name)}\` | ${about(megabytesOf(name))} | ${idsOf(users)} |`;
  });
  const database = DATABASE.reduce((sum, name) => sum + megabytesOf(name), 0);
  const ofWallets = capabilities.filter(({ wallet }) => wallet !== undefined);
  const groups = [...new Set(ofWallets.map(({ group }) => `\`${group}.*\``))].join(", ");
  const keys = [...new Set(capabilities.flatMap(({ requires }) => requires))].sort();
  const byKey = keys.map(
    (key) => `| \`${key}\` | ${idsOf(capabilities.filter(({ requires }) => requires.includes(key)))} |`,
  );
  const filled = [
    ["at-once", `${free.length} of ${capabilities.length}: ${idsOf(free)}.`],
    [
      "packages",
      [
        "| Package | MB | For |",
        "| --- | --- | --- |",
        ...rows,
        `| \`${DATABASE.join("` and `")}\`, or a Postgres of yours | ${about(database)} | with the option \`wallets\`: ${groups} |`,
      ].join("\n"),
    ],
    ["needed-keys", ["| Key | For |", "| --- | --- |", ...byKey].join("\n")],
  ] as const;
  return filled.reduce((page, [marker, content]) => withBetween(page, marker, content), text);
}
