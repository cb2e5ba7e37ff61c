/** The names that hosts import: each stands beside others in one file, and the former ones still work. */
import { expect, test } from "vitest";
import * as inputs from "../../src/capability/published-fields.js";
import * as upstream from "../../src/upstream/index.js";

/** Exports of one value under several names. */
function namesOf(module: object): string[][] {
  const names = new Map<unknown, string[]>();
  for (const [name, value] of Object.entries(module)) names.set(value, [...(names.get(value) ?? []), name]);
  return [...names.values()];
}

/** Names that say what they are by themselves. */
const PLAIN = ["codePoints", "lazySchema", "upstream", "defineProvider"];

test.each([
  ["coinslot/fields", inputs, /Field$/],
  ["coinslot/upstream", upstream, /(?:Value|Object|ObjectOrNone|^pathSegments)$/],
])("every export of %s has a name that says where it is from, beside its former one", (_, module, long) => {
  const groups = namesOf(module).filter((names) => !names.some((name) => PLAIN.includes(name)));
  expect(groups.length).toBeGreaterThan(18);
  for (const names of groups) {
    expect(names, names.join()).toHaveLength(2);
    expect(
      names.filter((name) => long.test(name)),
      names.join(),
    ).toHaveLength(1);
  }
});

test("no name is exported by both", () => {
  expect(Object.keys(inputs).filter((name) => name in upstream)).toEqual([]);
});
