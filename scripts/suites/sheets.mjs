/**
 * Reads the workbooks that sheets.py wrote through the built package, and compares every cell with openpyxl.
 *
 *   /usr/bin/python3 scripts/suites/sheets.py FOLDER && node scripts/suites/sheets.mjs FOLDER [--show 10]
 *
 * openpyxl reads 29 February 1900 as the day before: such cells are left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "string", default: "10" } },
});
const [folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/sheets.mjs FOLDER [--show 10]");
const { dataConvert } = await import(new URL("../../dist/capabilities/data/index.js", import.meta.url).href);

const rowsOf = async (file, sheet) => {
  const { items } = await dataConvert({ file, sheet, to: "json", header: false, from: "xlsx" });
  return items[0].value;
};

for (const name of ["1900", "1904"]) {
  const file = readFileSync(join(folder, `${name}.xlsx`)).toString("base64");
  let [right, wrong] = [0, 0];
  for (const { name: sheet, rows, shown } of JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))) {
    const read = await rowsOf(file, sheet);
    for (const [y, row] of rows.entries())
      for (const [x, wanted] of row.entries()) {
        const got = read[y]?.[x] ?? null;
        if (typeof got === "string" && got.startsWith("1900-02-29")) continue;
        if (got === wanted) right += 1;
        else if (wrong++ < Number(values.show)) console.log(name, sheet, [y, x], shown[y][x], { wanted, got });
      }
  }
  console.log(`${name}: ${right} of ${right + wrong} cells`);
}
