/** docs/choices.md: its rows are written by hand, and the lines of each engine are counted here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathFromRoot } from "./render-indexes.js";

const ENGINES = "src/engines";
const ROW = /^(\| [^|]+ \| )((?:`[^`|]+`(?:, )?)+)( \| )[^|]*( \|.*)$/;
/** Counts are rounded up to this, so that a small change leaves the page as it is. */
const STEP = 50;

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
      const [, before, folders, mark, after] = ROW.exec(line) ?? [];
      if (folders === undefined) return line;
      const names = [...folders.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      named.push(...names);
      const count = names.reduce((sum, name) => sum + linesOf(join(ENGINES, name)), 0);
      return `${before}${folders}${mark}${(Math.ceil(count / STEP) * STEP).toLocaleString("en")}${after}`;
    })
    .join("\n");
  return { text, missing: readdirSync(pathFromRoot(ENGINES)).filter((name) => !named.includes(name)) };
}

const linesOf = (folder: string): number =>
  readdirSync(pathFromRoot(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .reduce((sum, name) => sum + readFileSync(pathFromRoot(join(folder, name)), "utf8").split("\n").length - 1, 0);
