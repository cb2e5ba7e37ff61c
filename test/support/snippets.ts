/** The code of a page of Markdown: every fenced block, with where it stands. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathFromRoot } from "./render-indexes.js";

export interface Snippet {
  /** The page that it stands in, by its path from the root. */
  page: string;
  language: string;
  code: string;
  /** Of its first fence, counted from 1. */
  line: number;
  /** The heading that it stands under. */
  heading: string;
  /** Why it is not run: `<!-- not run: the reason -->` on the line before it. */
  notRun?: string;
  /** The file that test/runtimes runs it as, beside a framework that it installs: `<!-- run by test/runtimes: koa/server.mjs -->`. */
  elsewhere?: string;
}

const FENCE = /^```(\w*)/;
const ELSEWHERE = /^<!-- run by test\/runtimes: (\S+) -->$/;
const MARK = /^<!-- not run: ?(.*?) ?-->$/;

/** The pages that readers see: README.md, and those of docs/. */
export const documentPages = (): string[] => [
  "README.md",
  ...readdirSync(pathFromRoot("docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Those of a page. */
export const snippetsOf = (page: string): Snippet[] => readSnippets(readFileSync(pathFromRoot(page), "utf8"), page);

/** `docs/payments.md:12` as a name of a file. */
export const fileOf = ({ page, line }: Snippet): string => `${page.replace(/\W+/g, "-")}-${line}`;

/** A host's project: the package beside whatever else is installed here. */
export function openHost() {
  const place = mkdtempSync(join(tmpdir(), "coinslot-readme-"));
  const project = join(place, "shop");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(pathFromRoot("node_modules"), join(place, "node_modules"), "junction");
  symlinkSync(pathFromRoot("."), join(project, "node_modules/coinslot"), "junction");
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "shop", type: "module", private: true }));
  return { place, project, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/** In their order. Throws where a fence is not closed. */
export function readSnippets(text: string, page: string): Snippet[] {
  const lines = text.split("\n");
  const snippets: Snippet[] = [];
  let heading = "";
  for (let at = 0; at < lines.length; at++) {
    heading = /^#+ (.*)/.exec(lines[at] ?? "")?.[1] ?? heading;
    const language = FENCE.exec(lines[at] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`The fence of line ${at + 1} of ${page} is not closed.`);
    const mark = MARK.exec(lines[at - 1] ?? "")?.[1];
    const code = lines.slice(at + 1, end).join("\n");
    const elsewhere = ELSEWHERE.exec(lines[at - 1] ?? "")?.[1];
    const marks = {
      ...(mark === undefined ? {} : { notRun: mark }),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    };
    snippets.push({ page, language, code, line: at + 1, heading, ...marks });
    at = end;
  }
  return snippets;
}

/** The commands of a console's protocol, each with what it printed: `…` stands for anything. */
export function readProtocol(code: string): { command: string; printed: string }[] {
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...printed] = step.trimEnd().split("\n");
      return { command, printed: printed.join("\n") };
    });
}

/** The first part of what is shown that was not printed in its place; spaces, line breaks and case do not count. */
export function missingFrom(output: string, shown: string): string | undefined {
  const bare = (text: string) => text.replace(/\s+/g, "").toLowerCase();
  let rest = bare(output);
  for (const part of shown.split(/…|\n/)) {
    const at = rest.indexOf(bare(part));
    if (at < 0) return part.trim();
    rest = rest.slice(at + bare(part).length);
  }
  return undefined;
}
