/**
 * Texts of a configuration file that come from elsewhere: `${NAME}` within a text and `{ env: NAME }` from the environment,
 * `{ file: path }` from a file. What they hold appears in no error.
 */
import { resolve } from "node:path";
import { isPlainObject } from "../../lib/options/check.js";
import { readText } from "./data.js";

const MAX_SECRET = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_NODES = 50_000;
/** A shorter begin is one of many words, such as `postgres://`; a secret that is shorter is looked for as a whole. */
const LEAST_HIDDEN = 12;
/** `$${NAME}` stands for itself. */
const NAMED = /\$?\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_]\w{0,127}$/;

export interface Resolved {
  data: unknown;
  /** A text without what came from elsewhere. */
  hide(text: string): string;
}

interface Sources {
  /** The file, for its errors. */
  file: string;
  /** Folder that paths are relative to. */
  from: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Rejects with a TypeError that names the place, and the name or the file that is missing. */
export async function withSecrets(data: unknown, { file, from, env }: Sources): Promise<Resolved> {
  /** By what they hold, the place where it came from. */
  const known = new Map<string, string>();
  let nodes = 0;

  const fail = (path: string, problem: string) => new TypeError(`${file}: ${path || "the file"} ${problem}`);

  function setting(path: string, name: string): string {
    if (!NAME.test(name)) throw fail(path, "names no setting: letters, digits and _ are one.");
    const value = env[name];
    if (!value) throw fail(path, `names ${name}, which is not set in the environment.`);
    known.set(value, `the value of ${name}`);
    return value;
  }

  async function fromFile(path: string, name: string): Promise<string> {
    const text = await readText(resolve(from, name), MAX_SECRET).catch((error: Error) => {
      throw fail(path, `names a file that cannot be read: ${error.message}`);
    });
    const value = text.replace(/\r?\n$/, "");
    if (value.trim() === "") throw fail(path, `names ${name}, which is empty.`);
    known.set(value, `the text of ${name}`);
    return value;
  }

  /** The text that an object stands for: `{ env }` or `{ file }` alone. */
  function elsewhere(value: Record<string, unknown>, path: string): string | Promise<string> | undefined {
    const { env: name, file: from } = value;
    if (Object.keys(value).length !== 1) return undefined;
    if (typeof name === "string") return setting(path, name);
    return typeof from === "string" ? fromFile(path, from) : undefined;
  }

  const named = (value: string, path: string) =>
    value.replace(NAMED, (text, name: string) => (text.startsWith("$$") ? text.slice(1) : setting(path, name)));

  async function read(value: unknown, path: string, depth: number): Promise<unknown> {
    nodes += 1;
    // guard: config: a file of too many parts is refused | never | config/hostile
    if (nodes > MAX_NODES || depth > MAX_DEPTH) throw fail("", "has too many parts, or is nested too deeply.");
    if (typeof value === "string") return named(value, path);
    if (Array.isArray(value)) {
      const parts: unknown[] = [];
      for (const [index, one] of value.entries()) parts.push(await read(one, `${path}[${index}]`, depth + 1));
      return parts;
    }
    return isPlainObject(value) ? ((await elsewhere(value, path)) ?? members(value, path, depth)) : value;
  }

  async function members(value: Record<string, unknown>, path: string, depth: number): Promise<object> {
    const entries: [string, unknown][] = [];
    for (const [name, one] of Object.entries(value))
      entries.push([name, await read(one, memberOf(path, name), depth + 1)]);
    return Object.fromEntries(entries);
  }

  const resolved = await read(data, "", 0);
  return { data: resolved, hide: (text) => hidden(text, known) };
}

const memberOf = (path: string, name: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path ? `${path}.${name}` : name;
};

/** An error may show the begin of a text, as it is or as JSON has it within quotes. */
function hidden(text: string, known: ReadonlyMap<string, string>): string {
  let shown = text;
  for (const [value, name] of known) {
    const spelled = [value, JSON.stringify(value).slice(1, -1)];
    const [longest = ""] = spelled.map((one) => beginIn(shown, one)).sort((a, b) => b.length - a.length);
    // guard: config: an error shows no secret, nor its begin | never | config/config
    if (longest !== "") shown = shown.replaceAll(longest, `(${name})`);
  }
  return shown;
}

/** The longest begin of a secret that a text has. */
function beginIn(text: string, secret: string): string {
  for (let length = secret.length; length >= Math.min(LEAST_HIDDEN, secret.length); length--)
    if (text.includes(secret.slice(0, length))) return secret.slice(0, length);
  return "";
}
