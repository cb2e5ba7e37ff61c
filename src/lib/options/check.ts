/**
 * What an option may be, said once. It is judged when a thing is put together, so that a wrong value is told then, with the
 * way out, and not by the first call that meets it.
 */
import { nearestOf } from "./nearest.js";
import { shown } from "./shown.js";

/** Throws a TypeError that names the option, what it must be and what it is. */
export interface Check {
  (name: string, value: unknown): void;
  /** Of an object: the checks of its members. */
  readonly members?: Readonly<Record<string, Check>>;
  /** What is said where the option is missing; those without may be left out. */
  readonly missing?: string;
}

/** A check for each option of a type: a new option does not compile without its own. */
export type ChecksOf<T> = { readonly [Name in keyof Required<T>]: Check };

export const wrong = (name: string, must: string, value: unknown): TypeError =>
  new TypeError(`${name} must be ${must}, not ${shown(value)}.`);

export const being =
  (must: string, is: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!is(value)) throw wrong(name, must, value);
  };

/** The same for what nobody should read in a log: a key, or an address with one in it. */
export const hidden =
  (must: string, is: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!is(value)) throw new TypeError(`${name} must be ${must}. (What was given is not shown.)`);
  };

/** An option that cannot be left out. */
export const needed = (check: Check, missing: string): Check =>
  Object.assign((name: string, value: unknown) => check(name, value), {
    ...(check.members ? { members: check.members } : {}),
    missing,
  });

interface ShapeOptions {
  /** Values besides an object, such as `false` for "off", and how they are told. */
  or?: readonly unknown[];
  /**
   * Objects of other packages have members that we know nothing of, and so may what a framework hands on; only what is
   * nearly one of ours is taken for a slip then.
   */
  extras?: boolean;
}

/** An object of named options. */
export function shape<T>(members: ChecksOf<T>, { or = [], extras = false }: ShapeOptions = {}): Check {
  const must = ["an object", ...or.map(String)].join(" or ");
  const checks = Object.entries<Check>(members);
  const check = (name: string, value: unknown) => {
    if (or.includes(value)) return;
    if (!isObject(value)) throw wrong(name || "options", must, value);
    assertNames(name, Object.keys(value), { members, extras });
    for (const [member, judge] of checks) {
      const given: unknown = value[member];
      const path = name ? `${name}.${member}` : member;
      if (given !== undefined) judge(path, given);
      else if (judge.missing !== undefined) throw new TypeError(`${path} is missing: ${judge.missing}`);
    }
  };
  return Object.assign(check, { members });
}

/** Things with members and no kind of their own, such as a Date or a Map has. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
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

/** An object of values by names that the host chooses. */
export const byName =
  (check: Check, nameIs: (name: string) => string | undefined = () => undefined): Check =>
  (name, value) => {
    if (!isObject(value)) throw wrong(name, "an object", value);
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
      throw new TypeError(`${name} must have ${least} to ${most} entries, not ${value.length}.`);
    for (const [index, one] of value.entries()) check(`${name}[${index}]`, one);
  };

/** One of them is enough; what is said of a value that none takes is the last one's. */
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
