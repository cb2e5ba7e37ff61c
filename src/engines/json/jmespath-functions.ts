/** Functions of JMESPath by its specification, where the library's sort numbers as texts, round them, or read more than JSON. */
import { compareTexts, type Leaves } from "./leaves.js";
import { isEqual } from "./members.js";
import { compareNumbers, type ExactNumber, integerOf, numberOf } from "./numbers.js";
import { writeJson } from "./text.js";

export type Operator = "Plus" | "Minus" | "Multiply" | "Star" | "Divide" | "Modulo" | "Div";
type Visit = (expression: unknown, value: unknown) => unknown;
type Own = (given: readonly unknown[]) => unknown;

/** Digits of whole numbers that are calculated with. */
const MAX_DIGITS = 2_000;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/;

/** The result where JavaScript's would be rounded; undefined if its own is right, or what is wrong with the operands. */
export function calculated(operator: Operator, left: unknown, right: unknown, leaves: Leaves): unknown {
  const [a, b] = [leaves.numberOf(left), leaves.numberOf(right)];
  if (a === undefined || b === undefined) return undefined;
  const run = EXACTLY[operator];
  const isExact = typeof left === "symbol" || typeof right === "symbol";
  if (!isExact && !(run && isRounded(operator, a as number, b as number))) return undefined;
  const [x, y] = [integerOf(a, MAX_DIGITS), integerOf(b, MAX_DIGITS)];
  if (!run || x === undefined || y === undefined)
    throw new Error("the query calculates with a number of more digits than it would keep");
  return leaves.hidden(numberOf(run(x, y).toString()));
}

const EXACTLY: Partial<Record<Operator, (a: bigint, b: bigint) => bigint>> = {
  Plus: (a, b) => a + b,
  Minus: (a, b) => a - b,
  Multiply: (a, b) => a * b,
  Star: (a, b) => a * b,
};

function isRounded(operator: Operator, a: number, b: number): boolean {
  if (!Number.isInteger(a) || !Number.isInteger(b)) return false;
  const result = operator === "Plus" ? a + b : operator === "Minus" ? a - b : a * b;
  return Number.isFinite(result) && !Number.isSafeInteger(result);
}

export function ownFunctions(leaves: Leaves, visit: Visit): Record<string, Own> {
  const compare = (a: unknown, b: unknown): number =>
    typeof a === "string" && typeof b === "string"
      ? compareTexts(a, b)
      : compareNumbers(leaves.numberOf(a) as number, leaves.numberOf(b) as number);
  const add = (a: unknown, b: unknown) => calculated("Plus", a, b, leaves) ?? (a as number) + (b as number);
  const whole = (value: unknown): number | ExactNumber => {
    const number = leaves.numberOf(value) ?? 0;
    if (integerOf(number, MAX_DIGITS) === undefined) throw new Error("the query rounds a number of too many digits");
    return number;
  };
  const round = (how: (value: number) => number) => (value: unknown) =>
    typeof value === "number" ? how(value) : leaves.hidden(whole(value));
  const best = (list: readonly unknown[], keys: readonly unknown[], sign: number): unknown => {
    let found = 0;
    for (let i = 1; i < keys.length; i++) if (sign * compare(keys[i], keys[found]) > 0) found = i;
    return list.length === 0 ? null : list[found];
  };
  /** One key for each row, all of them numbers or all of them texts. */
  const keysOf = (list: readonly unknown[], expression: unknown): unknown[] => {
    const keys = list.map((one) => visit(expression, one));
    const isText = typeof keys[0] === "string";
    const fits = (key: unknown) => (isText ? typeof key === "string" : leaves.numberOf(key) !== undefined);
    if (!keys.every(fits)) throw new Error("Invalid type: all keys must be numbers, or all of them strings");
    return keys;
  };
  return {
    abs([value]) {
      if (typeof value === "number") return Math.abs(value);
      return compare(value, 0) > 0 ? value : calculated("Minus", 0, value, leaves);
    },
    ceil: ([value]) => round(Math.ceil)(value),
    floor: ([value]) => round(Math.floor)(value),
    sum: ([list]) => (list as unknown[]).reduce(add, 0),
    avg([list]) {
      const rows = list as unknown[];
      const total = rows.reduce(add, 0);
      if (rows.length === 0) return null;
      return calculated("Divide", total, rows.length, leaves) ?? (total as number) / rows.length;
    },
    max: ([list]) => best(list as unknown[], list as unknown[], 1),
    min: ([list]) => best(list as unknown[], list as unknown[], -1),
    max_by: ([list, expression]) => best(list as unknown[], keysOf(list as unknown[], expression), 1),
    min_by: ([list, expression]) => best(list as unknown[], keysOf(list as unknown[], expression), -1),
    sort: ([list]) => [...(list as unknown[])].sort(compare),
    sort_by([list, expression]) {
      const keys = keysOf(list as unknown[], expression);
      const order = keys.map((_, i) => i).sort((a, b) => compare(keys[a], keys[b]));
      return order.map((i) => (list as unknown[])[i]);
    },
    contains([within, searched]) {
      if (typeof within === "string") return typeof searched === "string" && within.includes(searched);
      return (within as unknown[]).some((one) => isEqual(one, searched));
    },
    to_number([value]) {
      if (leaves.numberOf(value) !== undefined) return value;
      return typeof value === "string" && NUMBER.test(value) ? leaves.hidden(numberOf(value)) : null;
    },
    to_string: ([value]) => (typeof value === "string" ? value : writeJson(leaves.shown(value))),
  };
}
