/**
 * Who imports whom, by folders that hold files (leaf folders): none of them runs in a circle. Types count as well: whoever
 * reads one of two folders of a circle has to read the other.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

interface Import {
  file: string;
  to: string;
  isValue: boolean;
}

const IMPORT = /^(?:import|export) (?:(type) )?([^;"]*? from )?"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm;
const isOnlyTypes = (names = "") =>
  /^\{[^}]*\} from $/.test(names) &&
  (names.match(/[^{},]+(?=[,}])/g) ?? []).every((name) => /^\s*(type |$)/.test(name));

/** Every import of a file of ours by another; one that is made only when it is needed is none. */
function imports(): Import[] {
  const files = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) =>
    [...readFileSync(pathFromRoot(`src/${file}`), "utf8").matchAll(IMPORT)].flatMap(([, type, names, path]) =>
      path === undefined
        ? []
        : [
            {
              file,
              to: normalize(join(dirname(file), path)).replaceAll("\\", "/"),
              isValue: !type && !isOnlyTypes(names),
            },
          ],
    ),
  );
}

/** The sets of nodes that reach each other (Tarjan), each sorted, of more than one node. */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const [index, low, stack, found] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][],
  ];
  const lower = (node: string, to: number) => low.set(node, Math.min(low.get(node) ?? to, to));
  const visit = (node: string): void => {
    index.set(node, index.size);
    lower(node, index.size - 1);
    stack.push(node);
    for (const next of edges.get(node) ?? [])
      if (!index.has(next)) {
        visit(next);
        lower(node, low.get(next) ?? 0);
      } else if (stack.includes(next)) lower(node, index.get(next) ?? 0);
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found.sort();
}

function edgesOf(all: readonly Import[], of: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { file, to } of all) {
    const [from, next] = [of(file), of(to)];
    if (from !== next) edges.set(from, (edges.get(from) ?? new Set()).add(next));
  }
  return edges;
}

const all = imports();

/** A file at the top of src is a leaf of its own. */
const folderOf = (file: string) => (file.includes("/") ? dirname(file) : file);

it("no folder runs in a circle with others", () => {
  expect(circles(edgesOf(all, folderOf))).toEqual([]);
});

it("no file runs in a circle with others, by types neither", () => {
  expect(circles(edgesOf(all, (file) => file.replace(/\.[jt]s$/, "")))).toEqual([]);
});

it("a folder has 24 files at most: more of them are several topics", () => {
  const counts = new Map<string, number>();
  for (const one of readdirSync(pathFromRoot("src"), { recursive: true, withFileTypes: true }))
    if (one.isFile()) counts.set(one.parentPath, (counts.get(one.parentPath) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([, count]) => count > 24)).toEqual([]);
});

it("finds circles, also where one runs through another", () => {
  const edges = new Map(Object.entries({ a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"], f: ["a"] }));
  expect(circles(new Map([...edges].map(([from, to]) => [from, new Set(to)])))).toEqual([
    ["a", "b", "c"],
    ["d", "e"],
  ]);
});

it("the client takes only types from elsewhere, and values of errors and lib", () => {
  const values = all.filter(
    ({ file, to, isValue }) => file.startsWith("client/") && isValue && !to.startsWith("client/"),
  );
  expect(values.length).toBeGreaterThan(5);
  expect(values.filter(({ to }) => !/^(?:errors|lib\/)/.test(to))).toEqual([]);
});
