/**
 * Removals of guards, each made from the code below its mark: the statement, member or element that begins there.
 *
 * | Removal | Then |
 * | --- | --- |
 * | `gone` | the code is gone |
 * | `never`, `always` | its one condition (`if`, `while`, `? :`) never holds, or always |
 * | `= value` | this is what it declares or assigns |
 * | `returns value` | this is what its one `return`, or its one arrow function, gives |
 * | `without call` | its one call of this function is what it is given: the first argument, or what that one makes |
 * | `- text` | this text, which is there once, is gone |
 * | `text -> other` | this text, which is there once, is the other |
 *
 * Between words of a text any white space may stand, so that a formatter may break its line.
 */
import ts from "typescript";

const COMMENTS = /(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*/y;

/** @typedef {{ from: number, to: number, by: string }} Edit */

/** @type {{ text: string, file: ts.SourceFile } | undefined} */
let last;

/** Marks of one file follow one another. @param {string} text */
function parsed(text) {
  if (last?.text !== text) last = { text, file: ts.createSourceFile("guarded.ts", text, ts.ScriptTarget.Latest, true) };
  return last.file;
}

/**
 * The outermost node that begins with the first code after a place.
 * @param {ts.SourceFile} file @param {number} at
 */
function codeBelow(file, at) {
  COMMENTS.lastIndex = at;
  const from = at + (COMMENTS.exec(file.text)?.[0].length ?? 0);
  /** @type {(node: ts.Node) => ts.Node | undefined} */
  const find = (node) => {
    if (node !== file && node.getStart(file) === from) return node;
    return ts.forEachChild(node, (child) => (child.pos <= from && from < child.end ? find(child) : undefined));
  };
  const found = find(file);
  if (!found) throw new Error("no code begins below the mark");
  return found;
}

/**
 * Nodes of a kind, outermost first.
 * @template T @param {ts.Node} node @param {(node: ts.Node) => T | undefined} pick @returns {T[]}
 */
function picked(node, pick) {
  /** @type {T[]} */
  const found = [];
  /** @param {ts.Node} one */
  const visit = (one) => {
    const picks = pick(one);
    if (picks) found.push(picks);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}

/** @template T @param {T[]} found @param {string} name @returns {T} */
function only(found, name) {
  const [one] = found;
  if (found.length !== 1 || !one) throw new Error(`${found.length} ${name} stand below the mark, not one`);
  return one;
}

/** @param {ts.Node} node */
function conditionOf(node) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return only(
    picked(node, (one) => {
      if (ts.isConditionalExpression(one)) return one.condition;
      return ts.isIfStatement(one) || ts.isWhileStatement(one) ? one.expression : undefined;
    }),
    "conditions",
  );
}

/** @param {ts.Node} node */
function assignedIn(node) {
  if (ts.isVariableStatement(node)) return only(node.declarationList.declarations.slice(), "names").initializer;
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) return node.initializer;
  const assigns = ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression);
  return assigns ? node.expression.right : undefined;
}

/** @param {ts.Node} node */
function resultOf(node) {
  if (ts.isReturnStatement(node)) return node.expression;
  return only(
    picked(node, (one) => {
      if (ts.isReturnStatement(one)) return one.expression;
      return ts.isArrowFunction(one) && !ts.isBlock(one.body) ? one.body : undefined;
    }),
    "results",
  );
}

/** The argument that the one call of a function is given. @param {ts.Node} node @param {string} name @returns {Edit} */
function unwrapped(node, name) {
  const calls = picked(node, (one) =>
    ts.isCallExpression(one) && one.expression.getText() === name ? one : undefined,
  );
  const call = only(calls, `calls of ${name}`);
  const [given] = call.arguments;
  if (!given) throw new Error(`${name} is given nothing`);
  return replaced(call, (ts.isArrowFunction(given) && !ts.isBlock(given.body) ? given.body : given).getText());
}

/** @param {ts.Node | undefined} node @param {string} by @returns {Edit} */
function replaced(node, by) {
  if (!node) throw new Error("nothing of this kind stands below the mark");
  return { from: node.getStart(), to: node.end, by };
}

/** @param {ts.Node} node @param {string} text @param {string} by @returns {Edit} */
function textReplaced(node, text, by) {
  const words = text.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const from = node.getStart();
  const places = [...node.getText().matchAll(new RegExp(words.join("\\s+"), "g"))];
  const { 0: found, index } = only(places, `times "${text}"`);
  return { from: from + index, to: from + index + found.length, by };
}

/** The code, and the comma after it in a list. @param {ts.Node} node @returns {Edit} */
function removed(node) {
  // In place of a body without braces the next statement would become it.
  if (ts.isStatement(node)) return { from: node.getStart(), to: node.end, by: ";" };
  const comma = /^\s*,/.exec(node.getSourceFile().text.slice(node.end))?.[0] ?? "";
  return { from: node.getStart(), to: node.end + comma.length, by: "" };
}

/** @param {ts.Node} node @param {string} removal @returns {Edit} */
function editOf(node, removal) {
  if (removal === "gone") return removed(node);
  if (removal === "never") return replaced(conditionOf(node), "false");
  if (removal === "always") return replaced(conditionOf(node), "true");
  const [, kind, rest = ""] = /^(=|-|returns|without) (.+)$/.exec(removal) ?? [];
  if (kind === "=") return replaced(assignedIn(node), rest);
  if (kind === "returns") return replaced(resultOf(node), rest);
  if (kind === "without") return unwrapped(node, rest);
  if (kind === "-") return textReplaced(node, rest, "");
  const [text, other, ...more] = removal.split(" -> ");
  if (!text || !other || more.length > 0) throw new Error(`no removal is called "${removal}"`);
  return textReplaced(node, text, other);
}

/**
 * The source without a guard.
 * @param {string} bare @param {{ at: number, removal: string }} mark
 */
export function withoutGuard(bare, { at, removal }) {
  const { from, to, by } = editOf(codeBelow(parsed(bare), at), removal);
  return bare.slice(0, from) + by + bare.slice(to);
}
