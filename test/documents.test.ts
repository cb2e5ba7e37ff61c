/** What readers see: links that lead somewhere, a first page that stays short, and every option told. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { handlerOptions } from "../src/host/option-checks.js";
import { pathsOf } from "./support/option-paths.js";
import { pathFromRoot } from "./support/render-indexes.js";
import { documentPages } from "./support/snippets.js";

const ROOT_PAGES = ["AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"];
const pages = [...documentPages(), ...ROOT_PAGES];
const read = (page: string) => readFileSync(pathFromRoot(page), "utf8");

/** As GitHub makes anchors of headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe.each(pages)("%s", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);

  it("links to files and headings that there are", () => {
    const dead = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(pathFromRoot(target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

it("README.md is read in one go, and leads to every page of docs/", () => {
  const readme = read("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(200);
  const named = documentPages().filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(named.filter((page) => !readme.includes(`](${page})`))).toEqual([]);
  const index = read("docs/README.md");
  expect(named.filter((page) => !index.includes(`](${page.slice("docs/".length)})`))).toEqual([]);
});

it("docs/options.md tells every option that a host may set", () => {
  const told = new Set([...read("docs/options.md").matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name));
  const known = pathsOf(handlerOptions);
  expect(known.length).toBeGreaterThan(70);
  expect(known.filter((name) => !told.has(name))).toEqual([]);
  expect([...told].filter((name) => !known.includes(name ?? ""))).toEqual([]);
});
