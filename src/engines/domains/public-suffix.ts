/** Where a name's public suffix ends, by the algorithm of publicsuffix.org. */
import { once } from "../../lib/lazy.js";
import { ICANN_SUFFIXES, PRIVATE_SUFFIXES } from "./public-suffix-table.js";

export { PUBLIC_SUFFIX_DATE } from "./public-suffix-table.js";

interface Node {
  kind?: "rule" | "exception";
  children?: Map<string, Node>;
}

export interface PublicSuffix {
  /** How many labels belong to the suffix. */
  labels: number;
  /** Section of the rule that applies; null if none does, and the last label counts as a suffix. */
  kind: "icann" | "private" | null;
}

const trees = once(() => ({ icann: treeOf(ICANN_SUFFIXES), private: treeOf(PRIVATE_SUFFIXES) }));

/** The suffix of a name of DNS in lower case. */
export function publicSuffixOf(ascii: string): PublicSuffix {
  const labels = ascii.split(".").reverse();
  const { icann, private: personal } = trees();
  const [ofRegistry, ofOwner] = [matchIn(icann, labels), matchIn(personal, labels)];
  // An exception is stronger than any rule, and a longer rule than a shorter one.
  const ownerWins = ofOwner.isException || (!ofRegistry.isException && ofOwner.length > ofRegistry.length);
  const winner = ownerWins ? ofOwner : ofRegistry;
  if (winner.length === 0) return { labels: 1, kind: null };
  return { labels: winner.length, kind: ownerWins ? "private" : "icann" };
}

/** The last labels that make up the registrable domain of a name; undefined for a suffix itself. */
export function registrableOf(ascii: string): string | undefined {
  const labels = ascii.split(".");
  const { labels: ofSuffix } = publicSuffixOf(ascii);
  return labels.length > ofSuffix ? labels.slice(-ofSuffix - 1).join(".") : undefined;
}

function matchIn(tree: Node, labels: string[]): { length: number; isException: boolean } {
  let node: Node | undefined = tree;
  let length = 0;
  for (const [place, label] of labels.entries()) {
    const named: Node | undefined = node?.children?.get(label);
    if (named?.kind === "exception") return { length: place, isException: true };
    const any: Node | undefined = node?.children?.get("*");
    if (named?.kind === "rule" || any) length = place + 1;
    node = named;
    if (!node) break;
  }
  return { length, isException: false };
}

/** `com,uk(co,*)`: names with what stands below them; `/` follows one that only leads to rules, `!` precedes an exception. */
function treeOf(written: string): Node {
  const root: Node = { children: new Map() };
  const open = [root];
  let last = root;
  for (const [, mark = "", name = "", path = ""] of written.matchAll(/([(),]?)([^(),/]*)(\/?)/g)) {
    if (mark === "(") open.push(last);
    if (mark === ")") open.pop();
    if (name === "") continue;
    const isException = name.startsWith("!");
    last = path ? {} : { kind: isException ? "exception" : "rule" };
    const parent = open.at(-1) ?? root;
    parent.children ??= new Map();
    parent.children.set(isException ? name.slice(1) : name, last);
  }
  return root;
}
