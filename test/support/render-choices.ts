/** docs/choices.md: its rows are written by hand, and the lines of each engine are counted here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathFromRoot } from "./render-indexes.js";

const ENGINES = "src/engines";
const ROW = /^(\| [^|]+ \| )((?:`[^`|]+`(?:, )?)+)( \| )([^|]*)( \|.*)$/;
/** Counts are rounded up to this, and a count that is off by less than `SLACK` stays, so that small changes leave the page as it is. */
const STEP = 50;
const SLACK = 0.1;

export interface ChoicesPage {
  text: string;
  /** Folders of engines that no row has. */
  missing: string[];
}

export function renderChoices(page: string): ChoicesPage {
  const named: string[] = [];
  const lines = page.split("\n");
  const start = lines.indexOf("## Own engines");
  const text = lines
    .map((line, at) => {
      if (at < start) return line;
      const [, before, folders, mark, told = "", after] = ROW.exec(line) ?? [];
      if (folders === undefined) return line;
      const names = [...folders.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      named.push(...names);
      const count = names.reduce((sum, name) => sum + linesOf(join(ENGINES, name)), 0);
      return `${before}${folders}${mark}${shown(count, told)}${after}`;
    })
    .join("\n");
  return {
    text,
    missing: readdirSync(pathFromRoot(ENGINES)).filter(
      (name) => !named.includes(name) && linesOf(join(ENGINES, name)) > 0,
    ),
  };
}

function shown(count: number, told: string): string {
  const before = Number(told.replaceAll(",", ""));
  const isClose = told !== "" && Math.abs(before - count) <= Math.max(2 * STEP, count * SLACK);
  return isClose ? told : (Math.ceil(count / STEP) * STEP).toLocaleString("en");
}

const linesOf = (folder: string): number =>
  readdirSync(pathFromRoot(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .reduce((sum, name) => sum + readFileSync(pathFromRoot(join(folder, name)), "utf8").split("\n").length - 1, 0);
