/** Changes one path of an answer, as `fieldsOf` names it, in every place. */
import { childrenOf, isName, isObject, ROOT, type Tree } from "../../src/upstream/inventory/paths.js";

/** What becomes of a value at the path; `rename` of an object's field changes its name instead. */
export type Change = { rename: (name: string) => string } | { to: (value: Tree) => Tree };

export function changed(tree: Tree, target: string, change: Change, path = ROOT): Tree {
  if (path === target && "to" in change && path === ROOT) return change.to(tree);
  const copy: Tree = Array.isArray(tree) ? [...tree] : isObject(tree) ? { ...tree } : tree;
  if (typeof copy !== "object" || copy === null) return copy;
  const children = new Map(childrenOf(path, tree).map(([at, here, value]) => [String(at), { here, value }]));
  if (Array.isArray(copy))
    return copy.map((value, at) => {
      const { here = `${path}[]` } = children.get(String(at)) ?? {};
      return here === target ? applied(value, change) : changed(value, target, change, here);
    });
  return Object.fromEntries(
    Object.entries(copy).map(([name, value]) => {
      const here = children.get(name)?.here;
      if (here === undefined) return [name, value];
      if (here !== target) return [name, changed(value, target, change, here)];
      return "rename" in change && isName(name) ? [change.rename(name), value] : [name, applied(value, change)];
    }),
  );
}

const applied = (value: Tree, change: Change): Tree => ("to" in change ? change.to(value) : null);

/** Renames a column of CSV, or an element or attribute of XML; the text itself where there is none of that name. */
export function renamedInText(text: string, name: string, to: string): string {
  if (text.trimStart().startsWith("<")) {
    const tag = name.replace(/^@/, "");
    return name.startsWith("@")
      ? text.replaceAll(new RegExp(`(\\s)${escaped(tag)}=`, "g"), `$1${to.replace(/^@/, "")}=`)
      : text.replaceAll(new RegExp(`(</?)${escaped(tag)}(?=[\\s/>])`, "g"), `$1${to}`);
  }
  const end = text.indexOf("\n");
  const [header, rest] = [text.slice(0, end), text.slice(end)];
  return header.replace(new RegExp(`(^|[,\\t"])${escaped(name)}(?=$|[,\\t"\\r])`), `$1${to}`) + rest;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
