/** docs/guarantees.md: what is promised, from the tests whose names begin with the number of a promise. */
import { readdirSync, readFileSync } from "node:fs";
import { pathFromRoot } from "./render-indexes.js";

/** The families of promises, in the order of the page. */
const FAMILIES: Record<string, string> = {
  PAY: "Payments",
  CH: "Payment channels",
  STR: "Streams",
  TRI: "Free trials",
  WAL: "What belongs to a wallet, and callbacks",
  UP: "Upstreams",
  SSRF: "Addresses that callers name",
  LLM: "Models",
  BRW: "The browser",
  RES: "Resources",
  STO: "Stores",
  ATK: "Hostile requests",
};

const TITLE = /\b(?:it|test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const NUMBER = /^([A-Z]{2,4})-(\d+)\b/;

interface Promised {
  family: string;
  number: number;
  title: string;
  files: string[];
}

export function renderGuarantees(): string {
  const promises = readPromises();
  const sections = Object.entries(FAMILIES).map(([family, about]) => {
    const own = promises.filter((promise) => promise.family === family).sort((a, b) => a.number - b.number);
    return [
      `## ${about}`,
      "",
      "| No. | What the test shows | Test |",
      "| --- | --- | --- |",
      ...own.map(rowOf),
      "",
    ].join("\n");
  });
  return `# Guarantees

Each line is the name of a test that fails when the promise is broken; the number stands in front of that name.
\`npx vitest run -t "PAY-24"\` runs the tests of one number. This page is generated from the tests.

${sections.join("\n")}`;
}

function readPromises(): Promised[] {
  const promises = new Map<string, Promised>();
  for (const file of testFiles())
    for (const [, plain, template] of readFileSync(pathFromRoot(file), "utf8").matchAll(TITLE)) {
      let title = (plain ?? template ?? "").trim();
      const numbers: [string, number][] = [];
      for (let found = NUMBER.exec(title); found; found = NUMBER.exec(title)) {
        numbers.push([found[1] ?? "", Number(found[2])]);
        title = title.slice(found[0].length).trim();
      }
      for (const [family, number] of numbers) {
        const promise = promises.get(`${family}-${number}`) ?? { family, number, title, files: [] };
        promises.set(`${family}-${number}`, promise);
        // The longer name tells more.
        if (title.length > promise.title.length) promise.title = title;
        if (!promise.files.includes(file)) promise.files.push(file);
      }
    }
  return [...promises.values()];
}

const testFiles = (): string[] =>
  readdirSync(pathFromRoot("test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => `test/${path}`)
    .sort();

function rowOf({ family, number, title, files }: Promised): string {
  const shown = title
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/\$\{[^}]*\}|\$\w+|%[sdj]/g, "…")
    .replaceAll("|", "\\|");
  // Not links: the documents travel with the package, and tests do not.
  const named = files.slice(0, 3).map((file) => `\`${file.slice("test/".length, -".test.ts".length)}\``);
  return `| ${family}-${number} | ${shown} | ${named.join(", ")}${files.length > 3 ? " …" : ""} |`;
}
