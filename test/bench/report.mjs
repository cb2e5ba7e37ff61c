/** The end of `npm run bench`: one table of all ratios with their goals, and the same as a file. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { goalOf, printTable, say, times } from "./measure.mjs";

const COMPARED = [
  "@x402/core",
  "@x402/evm",
  "@x402/express",
  "@x402/hono",
  "hono",
  "express",
  "zod",
  "pg",
  "ioredis",
  "redis",
  "esbuild",
  "qrcode",
  "pdfjs-dist",
  "@electric-sql/pglite",
];
const SAMPLE_MS = 1000;

/**
 * @typedef {import("./measure.mjs").Bar & { topic: string, othersBusy?: number }} Row `othersBusy`: the share of the
 * processors that was taken just before the topic began, while the bench did nothing
 */

/** The share of the processors that others take now, 0 to 1. */
export async function othersBusy() {
  const sum = () => {
    const all = cpus().map(({ times: spent }) => spent);
    const total = all.flatMap(Object.values).reduce((a, b) => a + b, 0);
    return { total, idle: all.reduce((idle, spent) => idle + spent.idle, 0) };
  };
  const before = sum();
  await sleep(SAMPLE_MS);
  const after = sum();
  return 1 - (after.idle - before.idle) / Math.max(1, after.total - before.total);
}

/** @param {Row[]} rows */
export function printReport(rows) {
  say("\nAll ratios with their goals:\n");
  printTable(
    ["topic", "what", "ratio", "goal", "", "others' share"],
    rows.map((row) => [
      row.topic,
      row.what,
      row.value === undefined ? "-" : times(row.value),
      goalOf(row),
      row.holds ? "holds" : "MISSED",
      row.othersBusy === undefined ? "-" : `${Math.round(100 * row.othersBusy)} %`,
    ]),
    2,
  );
  say(`\n${rows.filter(({ holds }) => holds).length} of ${rows.length} hold.`);
  for (const line of shortfalls(rows)) say(`  ${line}`);
}

/**
 * One line for each row that fell short.
 * @param {Row[]} rows
 * @returns {string[]}
 */
export function shortfalls(rows) {
  return rows
    .filter(({ holds }) => !holds)
    .map((row) => {
      const found = row.value === undefined ? (row.why ?? "not measured") : `${times(row.value)}, goal ${goalOf(row)}`;
      const share = Math.round(100 * (row.othersBusy ?? 0));
      return `${row.topic}: ${row.what}: ${found}${share >= 10 ? `; others took ${share} % of the processors` : ""}`;
    });
}

/** @param {string} file @param {Row[]} rows */
export function writeReport(file, rows) {
  const [processor] = cpus();
  const machine = {
    node: process.version,
    system: `${type()} ${release()} ${process.arch}`,
    processors: `${cpus().length} x ${processor?.model}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
  writeFileSync(file, `${JSON.stringify({ machine, versions: versions(), rows }, null, 2)}\n`);
}

function versions() {
  const versionOf = (name) => {
    try {
      const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
      return JSON.parse(readFileSync(file, "utf8")).version;
    } catch {
      return undefined;
    }
  };
  return Object.fromEntries(COMPARED.map((name) => [name, versionOf(name)]));
}
