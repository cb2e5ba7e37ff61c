/**
 * Declares the allowed values of options. They are checked at construction, so that a wrong value is reported then,
 * with the correction, and not by the first call that uses it.
 */
import { nearestOf } from "./nearest.js";
import { shown } from "./shown.js";

/** Throws a TypeError that names the option, the allowed values and the given one. */
export interface Check {
  (name: string, value: unknown): void;
  /** For an object: the checks of its members. */
  readonly members?: Readonly<Record<string, Check>>;
  /** Message for a missing required option; options without it may be left out. */
  readonly missing?: string;
}

/** A check for each option of a type, so that a new option does not compile without one. */
export type ChecksOf<T> = { readonly [Name in keyof Required<T>]: Check };

/** The fault of an option: whoever took it under another name tells the problem under that name. */
export class OptionError extends TypeError {
  constructor(
    readonly option: string,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${option} ${problem}`, options);
  }
}

export const wrong = (name: string, must: string, value: unknown): TypeError =>
  new OptionError(name, `must be ${must}, not ${shown(value)}.`);

export const being =
  (must: string, is: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!is(value)) throw wrong(name, must, value);
  };

/** The same for values that must not appear in a log: a key, or an address that contains one. */
export const hidden =
  (must: string, is: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!is(value)) throw new OptionError(name, `must be ${must}. (What was given is not shown.)`);
  };

/** A required option. */
export const needed = (check: Check, missing: string): Check =>
  Object.assign((name: string, value: unknown) => check(name, value), {
    ...(check.members ? { members: check.members } : {}),
    missing,
  });

interface ShapeOptions {
  /** Allowed values other than an object, such as `false` for "off", and their description. */
  or?: readonly unknown[];
  /**
   * True if unknown members are allowed, for objects of other packages and frameworks; only names similar to a known
   * option are then reported as misspelt.
   */
  extras?: boolean;
}

/** An object of named options. */
export function shape<T>(members: ChecksOf<T>, { or = [], extras = false }: ShapeOptions = {}): Check {
  const must = ["an object", ...or.map(String)].join(" or ");
  const checks = Object.entries<Check>(members);
  const check = (name: string, value: unknown) => {
    if (or.includes(value)) return;
    if (!isPlainObject(value)) throw wrong(name || "options", must, value);
    assertNames(name, Object.keys(value), { members, extras });
    for (const [member, judge] of checks) judgeMember(name ? `${name}.${member}` : member, judge, value[member]);
  };
  return Object.assign(check, { members });
}

function judgeMember(path: string, judge: Check, given: unknown): void {
  if (given !== undefined) judge(path, given);
  else if (judge.missing !== undefined) throw new OptionError(path, `is missing: ${judge.missing}`);
}

/** Plain objects, as opposed to a Date, a Map and the like. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  ["[object Object]", "[object Module]"].includes(Object.prototype.toString.call(value));

function assertNames(
  where: string,
  given: readonly string[],
  { members, extras }: { members: object; extras: boolean },
): void {
  for (const name of given) {
    if (Object.hasOwn(members, name)) continue;
    const known = Object.keys(members).sort();
    const nearest = nearestOf(name, known);
    if (extras && nearest === undefined) continue;
    const path = where ? `${where}.${name}` : name;
    const meant = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new TypeError(`Unknown option "${path}".${meant} Known: ${known.join(", ")}.`);
  }
}

/** An object with names that the host chooses. */
export const byName =
  (check: Check, nameIs: (name: string) => string | undefined = () => undefined): Check =>
  (name, value) => {
    if (!isPlainObject(value)) throw wrong(name, "an object", value);
    for (const [key, one] of Object.entries(value)) {
      const flaw = nameIs(key);
      if (flaw !== undefined) throw new TypeError(`${name}: "${key}" ${flaw}`);
      check(`${name}["${key}"]`, one);
    }
  };

export const listOf =
  (check: Check, { least = 0, most = Number.POSITIVE_INFINITY } = {}): Check =>
  (name, value) => {
    if (!Array.isArray(value)) throw wrong(name, "an array", value);
    if (value.length < least || value.length > most)
      throw new TypeError(`${name} must have ${least} ${atMost(most)} entries, not ${value.length}.`);
    for (const [index, one] of value.entries()) check(`${name}[${index}]`, one);
  };

const atMost = (most: number) => (most === Number.POSITIVE_INFINITY ? "or more" : `to ${most}`);

/** One of the checks must pass; a failure is reported by the last one. */
export const anyOf =
  (...checks: readonly [Check, ...Check[]]): Check =>
  (name, value) => {
    let last: unknown;
    for (const check of checks)
      try {
        return check(name, value);
      } catch (error) {
        last = error;
      }
    throw last;
  };
