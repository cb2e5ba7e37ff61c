import { expect, it } from "vitest";
import { storeDocPut, storeDocQuery } from "../../src/capabilities/store/index.js";
import { askedOf } from "../../src/state/docs/search-index.js";
import { readQuery } from "../../src/state/docs/search-query.js";
import { filterSql, parameters, readFilter, weightOf } from "../../src/state/wallet/filter.js";
import { howMany } from "../support/how-many.js";
import { onBothEngines } from "../support/wallets-engine.js";

/** The same numbers in every run. */
function dice(seed: number) {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}
type Dice = ReturnType<typeof dice>;

const TEXTS = ["", "a", "B", "ab", "é", "😀", "'; drop table kv; --", "$1", "\\", "%", "10", "null"];
const NUMBERS = [0, 1, -1, 0.1, 10, 1e21, 1e-7, 1e308];
const NAMES = ["a", "b", "0", "-1", "01", "a/b", "a~c", ""];
const POINTERS = [
  "/body",
  "/meta/a",
  "/body/a",
  "/body/b",
  "/body/0",
  "/body/a/0",
  "/body/a/1",
  "/body/a/-1",
  "/body/a/01",
  "/body/b/a",
  "/body/a~1b",
  "/body/a~0c",
  "/body/",
  "/body/-1",
  "/body/a/ 0",
  "/body/a/+0",
];

function jsonOf(roll: Dice, depth = 2): unknown {
  const kind = roll.below(depth > 0 ? 7 : 5);
  if (kind < 2) return roll.of(NUMBERS);
  if (kind < 4) return roll.of(TEXTS);
  if (kind === 4) return roll.of([true, false, null]);
  if (kind === 5) return Array.from({ length: roll.below(3) }, () => jsonOf(roll, depth - 1));
  return membersOf(roll, depth - 1);
}
const membersOf = (roll: Dice, depth = 2): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: roll.below(4) + 1 }, () => [roll.of(NAMES), jsonOf(roll, depth)]));

const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "exists", "prefix", "contains"] as const;
type Operator = (typeof OPERATORS)[number];

function operandOf(roll: Dice, operator: Operator): unknown {
  if (operator === "in") return Array.from({ length: roll.below(4) + 1 }, () => jsonOf(roll));
  if (operator === "exists") return roll.of([true, false]);
  if (operator === "prefix") return roll.of(TEXTS);
  if (operator.length > 2 || operator === "gt" || operator === "lt")
    return operator === "contains" ? jsonOf(roll, 1) : roll.of([...NUMBERS, ...TEXTS]);
  return jsonOf(roll);
}

type Made = Record<string, unknown>;
function conditionOf(roll: Dice, depth = 3): Made {
  const kind = roll.below(depth > 1 ? 8 : 5);
  if (kind === 5) return { and: [conditionOf(roll, depth - 1), conditionOf(roll, depth - 1)] };
  if (kind === 6) return { or: [conditionOf(roll, depth - 1), conditionOf(roll, depth - 1)] };
  if (kind === 7) return { not: conditionOf(roll, depth - 1) };
  const operator = roll.of(OPERATORS);
  return { [roll.of(POINTERS)]: { [operator]: operandOf(roll, operator) } };
}

/** What a filter means, written once more. */
function holds(filter: Made, doc: object): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === "and") return (value as Made[]).every((one) => holds(one, doc));
    if (name === "or") return (value as Made[]).some((one) => holds(one, doc));
    if (name === "not") return !holds(value as Made, doc);
    const found = find(doc, name);
    return Object.entries(value as Made).every(([operator, operand]) => compare(found, operator as Operator, operand));
  });
}

const NOTHING = Symbol("nothing");
function find(doc: unknown, pointer: string): unknown {
  let at = doc;
  for (const step of pointer
    .split("/")
    .slice(1)
    .map((raw) => raw.replaceAll("~1", "/").replaceAll("~0", "~"))) {
    if (Array.isArray(at)) at = /^(0|[1-9][0-9]*)$/.test(step) && Number(step) < at.length ? at[Number(step)] : NOTHING;
    else if (typeof at === "object" && at !== null && Object.hasOwn(at, step)) at = (at as Made)[step];
    else at = NOTHING;
  }
  return at;
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort()
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value;
const same = (a: unknown, b: unknown) => a !== NOTHING && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function compare(found: unknown, operator: Operator, operand: unknown): boolean {
  if (operator === "eq") return same(found, operand);
  if (operator === "ne") return !same(found, operand);
  if (operator === "in") return (operand as unknown[]).some((one) => same(found, one));
  if (operator === "exists") return (found !== NOTHING) === operand;
  if (operator === "prefix") return typeof found === "string" && found.startsWith(operand as string);
  if (operator === "contains") {
    if (typeof found === "string") return typeof operand === "string" && found.includes(operand);
    return Array.isArray(found) && found.some((one) => same(one, operand));
  }
  if (typeof found !== typeof operand || (typeof found !== "number" && typeof found !== "string")) return false;
  const order =
    typeof found === "number"
      ? Math.sign(found - (operand as number))
      : Buffer.compare(Buffer.from(found), Buffer.from(operand as string));
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator];
}

onBothEngines("filters", (engine) => {
  const as = () => ({ wallet: "w", wallets: engine.options() });

  it("WAL-23 mean what a model in JavaScript says, for random documents and filters", async () => {
    const roll = dice(23);
    const docs = Array.from({ length: 120 }, (_, i) => {
      const body = i % 10 === 0 ? roll.of(TEXTS) : membersOf(roll, 3);
      return { id: String(i).padStart(4, "0"), body, meta: membersOf(roll, 1) };
    });
    for (const doc of docs) await storeDocPut({ ns: "n", ...doc }, as());
    let matches = 0;
    for (let i = 0; i < howMany(150, 60); i++) {
      const filter = conditionOf(roll);
      const { items } = await storeDocQuery({ ns: "n", filter, limit: 1000, fields: ["/meta"] }, as());
      // A document that is one text is searched, and has nothing to compare.
      const expected = docs.filter(({ body, meta }) =>
        holds(filter, typeof body === "string" ? { meta } : { body, meta }),
      );
      expect([filter, items.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)]);
      matches += expected.length;
    }
    expect(matches).toBeGreaterThan(howMany(1000, 400));
  });

  it("WAL-23 refuse what is none, naming the field", async () => {
    const nots = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ not: inner }), { "/body": 1 });
    for (const filter of [
      ...[nots, [], "x", null, { a: 1 }, { "body/a": 1 }, { "/other": 1 }, { "/body/~2": 1 }, { and: [] }, { or: {} }],
      ...[{ "/body": {} }, { "/body": { like: 1 } }, { "/body": { gt: null } }, { "/body": { in: [] } }],
      ...[{ "/body": { constructor: 1 } }, { "/body": { exists: 1 } }, { [`/body${"/a".repeat(17)}`]: 1 }],
      { "/body": { in: Array.from({ length: 51 }, () => 1) } },
      { and: Array.from({ length: 21 }, () => ({ "/body": 1 })) },
      { "/body/a": "\0" },
      { "/body/\ud800": 1 },
      { "/body/a": "x".repeat(17_000) },
    ])
      await expect(storeDocQuery({ ns: "n", filter }, as())).rejects.toMatchObject({
        ...{ code: "INVALID_INPUT", issues: [{ path: "filter" }] },
      });
  });
});

it("WAL-23 weigh what they compare, and objects and lists in lists most", () => {
  const text = { "/body/text": { contains: "x" } };
  const list = { "/body/list": { contains: [1, 2] } };
  expect(weightOf(undefined)).toBe(0);
  expect(weightOf({ "/body/a": 1, "/body/b": { gt: 1, lt: 9 } })).toBe(3);
  expect(weightOf({ and: [text, { not: { or: [text, { "/body/list": { contains: 1 } }] } }] })).toBe(3);
  expect(weightOf({ or: [list, { not: { "/meta/list": { contains: {} } } }, text] })).toBe(65);
});

it("WAL-23 put nothing of a caller's into a statement but as a parameter", () => {
  const mark = "M4RK'; drop table kv; --\\$1";
  for (const operator of OPERATORS) {
    const operand = operator === "in" ? [mark] : operator === "exists" ? true : mark;
    const given = parameters([]);
    const sql = filterSql(readFilter({ [`/body/${mark}/01${mark}/007`]: { [operator]: operand } }, ["body"]), given);
    expect(sql).not.toMatch(/M4RK|drop|007/);
    expect(JSON.stringify(given.values)).toContain("M4RK");
  }
  const asked = askedOf(readQuery(`M4RK "M4RK's" (-M4RK OR M4RK*) '|!:*`));
  expect(asked?.condition).toBe("((('m4rk')) & (('m4rk') <1> ('s')) & (!(('m4rk')) | (('m4rk':*))))");
});
