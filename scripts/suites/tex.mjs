/**
 * Sets random tables of narrow justified columns with pdflatex, reads them through the built package, and prints how many are
 * read without any difference.
 *
 *   node scripts/suites/tex.mjs FOLDER [--count 120] [--seed 1] [--show]
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (!folder) throw new Error("usage: node scripts/suites/tex.mjs FOLDER [--count 120] [--seed 1] [--show]");
const { pdfToMarkdown } = await import(new URL("../../dist/capabilities/pdf/index.js", import.meta.url).href);

let state = Number(values.seed);
const random = (count) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * count);
};
const one = (choices) => choices[random(choices.length)];
const WORDS =
  "the of a method that records value time place reason simple large small list number first second third always never seldom before after into from with without between report table column reader writer paper stone water light weight measure result answer question process system member council region history".split(
    " ",
  );
const PROSE =
  "Words that stand beside the table in a paragraph of prose that is long enough to be justified over the whole line, and that goes on for a second line at least so that there is a text.";
const RULES = [
  ["", "", ""],
  ["\\toprule", "\\midrule", "\\bottomrule"],
  ["\\hline", "\\hline", "\\hline"],
];

const textOf = (least, most) => {
  const text = Array.from({ length: least + random(most - least + 1) }, () => one(WORDS)).join(" ");
  return text[0].toUpperCase() + text.slice(1);
};

function table() {
  const texts = 1 + random(3) + 1;
  const hasNumbers = random(5) < 2;
  const heads = ["Name", ...Array.from({ length: texts + (hasNumbers ? 1 : 0) }, () => textOf(1, 3))];
  const rows = Array.from({ length: one([3, 4, 6]) }, () => [
    textOf(1, 1),
    ...Array.from({ length: texts }, () => textOf(2, 8)),
    ...(hasNumbers ? [`${1 + random(500)}.${10 + random(90)}`] : []),
  ]);
  const width = one([1.5, 1.8, 2.1, 2.4, 2.8]);
  return { rows: [heads, ...rows], columns: `l${`p{${width}cm}`.repeat(texts)}${hasNumbers ? "r" : ""}` };
}

let exact = 0;
for (let i = 0; i < Number(values.count); i++) {
  const { rows, columns } = table();
  const [top, middle, bottom] = one(RULES);
  const [head, ...body] = rows.map((cells) => `${cells.join(" & ")} \\\\`);
  writeFileSync(
    join(folder, "table.tex"),
    `\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n${PROSE}\n\n\\begin{center}\\begin{tabular}{${columns}}${top}\n${head}${middle}\n${body.join("\n")}${bottom}\n\\end{tabular}\\end{center}\n${PROSE}\n\\end{document}\n`,
  );
  execFileSync("pdflatex", ["-interaction=batchmode", "table.tex"], { cwd: folder, stdio: "ignore" });
  const { items } = await pdfToMarkdown({ file: readFileSync(join(folder, "table.pdf")).toString("base64") });
  const read = items[0].tables.map((found) => found.rows);
  if (JSON.stringify(read) === JSON.stringify([rows])) exact++;
  else if (values.show) console.log({ wanted: rows, read });
}
console.log(`${exact} of ${values.count} tables`);
process.exit(0);
