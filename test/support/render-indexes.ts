import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { capabilityFilesIn } from "../../scripts/capability-files.mjs";
import { isBinary } from "../../src/capability/json-schema.js";
import type { Facts } from "../../src/capability/types.js";
import { exportName } from "../../src/discovery/export-name.js";

export const ROOT = new URL("../..", import.meta.url);
const HEAD = "// Generated: npx vitest run test/generated.test.ts -u\n";

/** A capability's source file, found by its place in the tree. */
export interface CapabilityFile {
  id: string;
  group: string;
  /** Its path within the group, without an ending: `name`, or `topic/name`. */
  path: string;
}

/** Every capability's file, sorted by id. */
export function capabilityFiles(): CapabilityFile[] {
  const found = [...capabilityFilesIn(new URL("src/capabilities/", ROOT), ".ts")];
  const files = found.map(([id, file]) => {
    const group = id.slice(0, id.indexOf("."));
    return { id, group, path: file.slice(group.length + 1) };
  });
  return files.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** src/capabilities/index.ts: every capability, in the order of the ids. */
export function renderCatalogue(files: CapabilityFile[]): string {
  const imports = files.map(({ id, group, path }) => `import { ${exportName(id)} } from "./${group}/${path}.js";`);
  const names = files.map(({ id }) => `  ${exportName(id)},`);
  return [
    HEAD,
    ...inImportOrder(imports),
    "",
    "/** Every capability of this package. Importing it loads no heavy dependency. */",
    "// biome-ignore format: one line each keeps additions to one line",
    "export const capabilities = [",
    ...names,
    "];",
    "",
  ].join("\n");
}

/** src/capabilities/<group>/index.ts. */
export function renderGroup(files: CapabilityFile[]): string {
  const exports = files.map(({ id, path }) => `export { ${exportName(id)} } from "./${path}.js";`);
  return [HEAD, ...inImportOrder(exports), ""].join("\n");
}

/** src/client/endpoints.ts: what a client has to know of each endpoint, without loading any. */
export function renderEndpoints(capabilities: readonly Facts[]): string {
  const lines = capabilities.map((one) => {
    const facts = [...(one.method === "GET" ? ["GET"] : []), ...(isBinary(one) ? ["file"] : [])];
    return [one.id, ...facts].join(" ");
  });
  return [
    HEAD,
    "/** Id of each endpoint, which of them are asked by GET instead of POST, and which answer with a file. */",
    `export const ENDPOINTS = \`\n${lines.join("\n")}\n\`;`,
    "",
  ].join("\n");
}

/** src/client/catalogue.ts: the endpoints as a client has them, with what an editor shows of each. */
export function renderClientCatalogue(capabilities: readonly Facts[]): string {
  const groups = [...new Set(capabilities.map(({ group }) => group))];
  const names = new Map(groups.map((group) => [group, camel(group)]));
  const members = groups.flatMap((group) => [
    `  readonly ${names.get(group)}: {`,
    ...capabilities
      .filter((one) => one.group === group)
      .flatMap((one) => [
        `    /** ${one.summary.replaceAll("*/", "* /")} Price: ${usdOf(one)} USD a call. */`,
        `    readonly ${camel(one.id.slice(group.length + 1))}: Endpoint<typeof ${names.get(group)}Group.${exportName(one.id)}>;`,
      ]),
    "  };",
  ]);
  const imports = groups.map(
    (group) => `import type * as ${names.get(group)}Group from "../capabilities/${group}/index.js";`,
  );
  return [
    HEAD,
    ...inImportOrder(imports),
    'import type { Endpoint } from "./types.js";',
    "",
    "/** The endpoints of this package, as a client calls them. */",
    "// biome-ignore format: one line each, however long a summary is",
    "export interface CatalogueClient {",
    ...members,
    "}",
    "",
  ].join("\n");
}

const camel = (text: string): string => text.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const usdOf = ({ price }: Facts): string => (price.mode === "fixed" ? price.usd : `${price.minUsd} to ${price.maxUsd}`);

/** Sorted by path without its extension, as the formatter wants imports: "lei" before "lei-isins". */
function inImportOrder(lines: string[]): string[] {
  const path = (line: string) => line.slice(line.indexOf('"'), line.lastIndexOf(".js"));
  return lines.sort((a, b) => (path(a) < path(b) ? -1 : 1));
}

/** A text with the table of capabilities between its two markers, and everything else as it was. */
export function withCapabilityTable(text: string, capabilities: readonly Facts[]): string {
  return withBetween(text, "capabilities", renderTable(capabilities));
}

/** Smaller groups share a row, so that the table is read at a glance. */
const OWN_ROW = 4;

/** A text with a table of the groups of capabilities between its two markers. */
export function withGroupTable(text: string, capabilities: readonly Facts[]): string {
  const groups = new Map<string, string[]>();
  for (const { id } of capabilities) {
    const [group = "", name = ""] = id.split(".");
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const small = [...groups].filter(([, names]) => names.length < OWN_ROW);
  const rows = [...groups]
    .filter(([, names]) => names.length >= OWN_ROW)
    .map(([group, names]) => `| \`${group}\` | ${names.join(", ")} |`);
  const inSmall = small.flatMap(([group, names]) => names.map((name) => `${group}.${name}`));
  if (inSmall.length > 0) rows.push(`| and | ${inSmall.join(", ")} |`);
  return withBetween(text, "groups", ["| Group | Endpoints |", "| --- | --- |", ...rows].join("\n"));
}

/** Replaces what is between `<!-- marker -->` and `<!-- /marker -->`. */
export function withBetween(text: string, marker: string, content: string): string {
  const [open, close] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`the text needs ${open} and, after it, ${close}`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}

function renderTable(capabilities: readonly Facts[]): string {
  const rows = capabilities.map(
    (one) => `| \`${one.id}\` | ${one.method} | ${usdOf(one)} | ${one.summary.replaceAll("|", "\\|")} |`,
  );
  return ["| id | method | USD | what |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

export function pathFromRoot(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** A file's text, or undefined where there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(pathFromRoot(path), "utf8");
  } catch {
    return undefined;
  }
}
