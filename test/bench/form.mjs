import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printBar, printTable, times } from "./measure.mjs";
import { NETWORK, PROBE, TREASURY } from "./shops.mjs";
import { buildSimpleForm, makeCatalogueData } from "./simple-form.mjs";
import { raceStarts } from "./start.mjs";

export const title =
  "The form of the package: its few large files beside one file for each source file, as Node starts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const everything = `
  import "coinslot";
  import "coinslot/capabilities";
  process.exit();`;
const firstQuote = `
  import { createHandler } from "coinslot";
  import { capabilities } from "coinslot/capabilities";
  const payment = { treasury: { "${NETWORK}": "${TREASURY}" }, facilitator: { url: "http://127.0.0.1:9" } };
  const response = await createHandler({ capabilities, payment })(new Request("${PROBE}"));
  if (response.status !== 402) throw new Error("answered " + response.status);
  process.exit();`;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-form-"));
  try {
    const forms = [
      ["few large files, as published", join(folder, "published")],
      ["a file for each source file", join(folder, "simple")],
      ["the same, the catalogue as data", join(folder, "data")],
    ];
    mkdirSync(join(folder, "published/node_modules"), { recursive: true });
    symlinkSync(root, join(folder, "published/node_modules/coinslot"), "junction");
    // These find themselves by the package's name.
    for (const [, place] of forms.slice(1)) await buildSimpleForm(place);
    await makeCatalogueData(join(folder, "data"));
    const program = (place, name, code) => {
      writeFileSync(join(place, name), code);
      return [join(place, name)];
    };
    const [node, ...found] = await raceStarts([
      program(folder, "empty.mjs", "process.exit();"),
      ...forms.flatMap(([, place]) => [
        program(place, "everything.mjs", everything),
        program(place, "first.mjs", firstQuote),
      ]),
    ]);
    const own = found.map((ms) => ms - node);
    printTable(
      ["processor time beyond Node's own start, least of the runs", "all imported", "the first 402", "x as published"],
      forms.map(([name], i) => [
        name,
        `${own[2 * i].toFixed(0)} ms`,
        `${own[2 * i + 1].toFixed(0)} ms`,
        times(own[2 * i + 1] / own[1]),
      ]),
    );
    return [
      printBar("the first 402 of a file for each source file beside ours", own[3] / own[1], { atLeast: 1.2 }),
      printBar("the same, the catalogue as data, beside ours", own[5] / own[1], { atLeast: 1.2 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
