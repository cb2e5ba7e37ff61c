/** What a host may set, for the README: every key and setting of the providers, and which capabilities ask for it. */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { capabilityFilesIn } from "../../scripts/capability-files.mjs";
import type { ProviderSecret, ProviderSetting } from "../../src/capability/provider.js";
import type { Facts } from "../../src/capability/types.js";
import { type ProviderFile, readProviderFiles } from "./providers.js";
import { ROOT, withBetween } from "./render-indexes.js";

export interface Key extends Pick<ProviderSecret, "keyUrl" | "free"> {
  name: string;
  required: boolean;
  /** Its effect. */
  what?: string;
  /** Ids of the capabilities that ask for it. */
  capabilities: string[];
}

/** A text with the table of keys between `<!-- keys -->` and `<!-- /keys -->`. */
export function withKeyTable(text: string, keys: readonly Key[]): string {
  const rows = keys.map(({ name, required, what, keyUrl, free, capabilities }) => {
    const price = free === undefined ? "" : free ? ", free" : ", paid";
    const source = keyUrl ? `[a key](${keyUrl})${price}` : "";
    const meaning = [what, source].filter(Boolean).join("; ");
    const ids = capabilities.map((id) => `\`${id}\``).join(", ");
    return `| \`${name}\` | ${required ? "yes" : "no"} | ${ids} | ${meaning} |`;
  });
  const head = ["| name | needed | for | what it is |", "| --- | --- | --- | --- |"];
  return withBetween(text, "keys", [...head, ...rows].join("\n"));
}

/** src/cli/keys.ts: the same for `coinslot doctor`. */
export function renderKeys(keys: readonly Key[]): string {
  const rows = keys.map((key) => `  ${JSON.stringify(key)},`);
  return `// Generated: npx vitest run test/generated.test.ts -u

/** A setting for providers, and the capabilities that use it. */
export interface ProviderKey {
  name: string;
  required: boolean;
  /** Its effect. */
  what?: string;
  keyUrl?: string;
  free?: boolean;
  capabilities: string[];
}

// biome-ignore format: one line each
export const KEYS: readonly ProviderKey[] = [
${rows.join("\n")}
];
`;
}

/** The keys of these capabilities: required ones first, then by name. */
export async function keysOf(capabilities: readonly Pick<Facts, "id">[]): Promise<Key[]> {
  const files = await readProviderFiles();
  const keys = new Map<string, Key>();
  for (const { id } of capabilities) {
    const sources = sourcesOf(id);
    const own = files.filter(({ path }) => sources.has(path)).flatMap(declaredBy);
    for (const { capabilities: _, ...declared } of own) {
      const key = keys.get(declared.name) ?? { ...declared, capabilities: [] };
      if (!key.capabilities.includes(id)) key.capabilities.push(id);
      keys.set(declared.name, key);
    }
  }
  const order = ({ required, name }: Key) => `${required ? 0 : 1} ${name}`;
  return [...keys.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Names that a capability's own code reads: `ctx.secret("NAME")`, `ctx.setting("NAME")`. */
export function secretsReadBy({ id }: Pick<Facts, "id">): string[] {
  return [...sourcesOf(id).values()].flatMap((source) =>
    [...source.matchAll(/\b(?:secret|setting)\(\s*"([^"]+)"/g)].map(([, name]) => name ?? ""),
  );
}

function declaredBy({ providers }: ProviderFile): Key[] {
  const ofSecret = ({ name, required, keyUrl, free }: ProviderSecret) => ({
    ...{ name, required, keyUrl, free },
    ...(required ? {} : { what: "higher limits" }),
  });
  const ofSetting = (setting: ProviderSetting) => ({ ...setting, required: false });
  return providers
    .flatMap(({ secret, settings = [] }) => [...(secret ? [ofSecret(secret)] : []), ...settings.map(ofSetting)])
    .map(({ keyUrl, free, ...key }) => ({
      ...key,
      ...(keyUrl === undefined ? {} : { keyUrl }),
      ...(free === undefined ? {} : { free }),
      capabilities: [],
    }));
}

interface SourceFile {
  source: string;
  /** Files of ours that it imports. */
  imports: URL[];
}

/** Most files are reached from many capabilities. */
const files = new Map<string, SourceFile>();
function fileAt(url: URL): SourceFile {
  const known = files.get(url.href);
  if (known) return known;
  // A file of JavaScript has its declarations beside it, and imports nothing of ours.
  const source = existsSync(url) ? readFileSync(url, "utf8") : "";
  const specifiers = [...source.matchAll(/\b(?:from |import\()"(\.[^"]+)\.js"/g)].map(
    ([, specifier = ""]) => specifier,
  );
  // Who loads the catalogue calls what a caller names, and asks for nothing itself.
  const imports = specifiers.filter((one) => one !== "../index").map((one) => new URL(`${one}.ts`, url));
  const file = { source, imports };
  files.set(url.href, file);
  return file;
}

const CAPABILITIES = capabilityFilesIn(new URL("src/capabilities/", ROOT), ".ts");

/** The sources that a capability is made of, by path from the root: its file and everything that it imports. */
export function sourcesOf(id: string): Map<string, string> {
  const file = CAPABILITIES.get(id);
  if (!file) throw new Error(`${id} has no file in src/capabilities`);
  const sources = new Map<string, string>();
  const visit = (url: URL) => {
    const path = relative(fileURLToPath(ROOT), fileURLToPath(url));
    if (sources.has(path)) return;
    const { source, imports } = fileAt(url);
    sources.set(path, source);
    for (const imported of imports) visit(imported);
  };
  visit(new URL(`src/capabilities/${file}.ts`, ROOT));
  return sources;
}
