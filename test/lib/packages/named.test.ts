import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { named } from "../../../src/lib/packages/named.js";
import { pathFromRoot } from "../../support/render-indexes.js";

it("takes the only export for the library, whatever marks Node puts beside it", () => {
  const library = { parse: () => 1 };
  expect(named({ default: library } as unknown as typeof library)).toBe(library);
  expect(named({ __esModule: true, default: library } as unknown as typeof library)).toBe(library);
  const marked = { "module.exports": library, __esModule: true, default: library };
  expect(named(marked as unknown as typeof library)).toBe(library);
  const both = { default: library, ...library };
  expect(named(both)).toBe(both);
});

it("finds what google-libphonenumber exports, as Node imports it", () => {
  const script = 'import("google-libphonenumber").then((library) => console.log(Object.keys(library).sort().join()))';
  const names = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: pathFromRoot(".") });
  const marks = ["__esModule", "default", "module.exports"];
  expect(
    names
      .toString()
      .trim()
      .split(",")
      .filter((name) => !marks.includes(name)),
  ).toEqual([]);
});
