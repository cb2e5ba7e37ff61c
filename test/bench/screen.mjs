import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { token_set_ratio } from "fuzzball";
import { median, printBar, printRates, race, ratio, say } from "./measure.mjs";
import { makeList } from "./sanctions-list.mjs";

export const title = "Screening one name against a sanctions list of the real size";

const ENTRIES = 18_000;
const ALIASES = 20_000;
const MOST_MS = 10;
const NAMES = [
  "MUHAMMAD ALI HASSAN",
  "SMITH JOHN A",
  "Владимир Владимирович Путин",
  "GULF PETROLEUM TRADING INTERNATIONAL LLC",
  "Vintage Aircraft Llc",
  "WELLS FARGO BANK NA TRUSTEE",
  "Khorasani Shipping Co.",
  "Dmitry Khorochev",
];

/** The list is part of larger chunks in the package. Below node_modules, so that its packages are found. */
async function bundledList() {
  const outfile = fileURLToPath(new URL("../../node_modules/.cache/coinslot-bench-screen.mjs", import.meta.url));
  const entry = fileURLToPath(new URL("../../src/providers/ofac/list.ts", import.meta.url));
  const options = { bundle: true, packages: "external", platform: "node", format: "esm" };
  await build({ entryPoints: [entry], outfile, ...options });
  try {
    return (await import(outfile)).SanctionsList;
  } finally {
    await rm(outfile);
  }
}

export async function run() {
  const SanctionsList = await bundledList();
  const { entries, aliases } = makeList({ entries: ENTRIES, aliases: ALIASES });
  const startedAt = performance.now();
  const list = await SanctionsList.build(entries, aliases);
  say(`  ${ENTRIES + ALIASES} names, indexed in ${Math.round(performance.now() - startedAt)} ms.`);
  const texts = [...entries, ...aliases].map(({ name }) => name);

  const screenAll = async () => {
    for (const name of NAMES) await list.screen(name, { threshold: 0.5 });
  };
  const scanAll = () => {
    for (const name of NAMES) for (const text of texts) token_set_ratio(name, text);
  };
  const contenders = [
    { name: "coinslot", run: screenAll, units: NAMES.length },
    { name: "fuzzball, all names", run: scanAll, units: NAMES.length },
  ];
  const rates = await race(contenders, { rounds: 5, roundMs: 150 });
  printRates(rates, "fuzzball, all names");
  const nameMs = 1000 / median(rates.get("coinslot"));
  say(
    `  One name takes ${nameMs.toFixed(2)} ms: ${ratio(rates, "coinslot", "fuzzball, all names").toFixed(0)} times as fast.`,
  );
  return [printBar("a name's share of the time that it may take", nameMs / MOST_MS, { atMost: 1 })];
}
