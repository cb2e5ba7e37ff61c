/** Comparisons of JSONPath (RFC 9535, 2.3.5.2.2): numbers to the last digit, texts by Unicode scalar values. */
import { invalid } from "../../errors.js";
import { compareTexts, type Leaves } from "./leaves.js";
import { compareNumbers, ExactNumber, numberOf } from "./numbers.js";

/** A part of a compiled query that compares two others. */
interface Comparison {
  left: { evaluate(context: unknown): unknown };
  right: { evaluate(context: unknown): unknown };
  operator: string;
  evaluate(context: unknown): unknown;
}

interface Literal {
  value: unknown;
  token: { value: string };
}

/** Members of a part that lead out of the query. */
const OUTSIDE = ["environment", "token"];

/** Gives the comparisons of a compiled query, also those of queries within filters, the digits that its numbers were written with. */
export function compareExactly(part: unknown, leaves: Leaves): void {
  if (typeof part !== "object" || part === null) return;
  if (isNumberLiteral(part)) setExact(part, leaves);
  if ("operator" in part && ORDERS[String(part.operator)]) setOrder(part as Comparison, leaves);
  for (const [name, inner] of Object.entries(part)) if (!OUTSIDE.includes(name)) compareExactly(inner, leaves);
}

const isNumberLiteral = (part: object): part is Literal =>
  "value" in part && typeof part.value === "number" && "token" in part;

function setExact(part: Literal, leaves: Leaves): void {
  const text = part.token.value;
  if (/[eE][+-]?0*[1-9]\d{9}/.test(text)) throw invalid("query", "has an exponent of more than nine digits");
  const number = numberOf(text);
  if (number instanceof ExactNumber) part.value = leaves.symbolOf(number);
}

const ORDERS: Record<string, (order: number) => boolean> = {
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

/** The library tells what is equal, for the same numbers are the same there; it orders what JavaScript can hold. */
function setOrder(part: Comparison, leaves: Leaves): void {
  const evaluate = part.evaluate.bind(part);
  const isInOrder = ORDERS[part.operator] as (order: number) => boolean;
  part.evaluate = (context) => {
    const [left, right] = [operandOf(part.left.evaluate(context)), operandOf(part.right.evaluate(context))];
    if (typeof left === "string" && typeof right === "string") return isInOrder(compareTexts(left, right));
    const [a, b] = [leaves.numberOf(left), leaves.numberOf(right)];
    return a === undefined || b === undefined ? evaluate(context) : isInOrder(compareNumbers(a, b));
  };
}

/** The value of a query that found a single node, or any other operand. */
function operandOf(operand: unknown): unknown {
  const { nodes } = (operand ?? {}) as { nodes?: { value: unknown }[] };
  return Array.isArray(nodes) ? nodes[0]?.value : operand;
}
