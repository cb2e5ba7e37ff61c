/** Whether a package is installed: found by its folder, since the start of each process asks for fifty. */
import { readFileSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { assertInstalled, isInstalled } from "../../../src/lib/packages/installed.js";
import { pathFromRoot } from "../../support/render-indexes.js";

const { peerDependencies } = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
const names = Object.keys(peerDependencies);
const require = createRequire(import.meta.url);

/** What Node itself finds, by the package or by its manifest. */
function resolves(name: string): boolean {
  return [name, `${name}/package.json`].some((path) => {
    try {
      return require.resolve(path) !== "";
    } catch (error) {
      return (error as { code?: string }).code !== "MODULE_NOT_FOUND";
    }
  });
}

afterEach(() => void vi.restoreAllMocks());

it("resolved each optional package at the start: a folder that is there is enough", () => {
  expect(names.length).toBeGreaterThan(40);
  const here = names.filter(resolves);
  const resolving = vi.spyOn(nodeModule as unknown as { _resolveFilename(path: string): string }, "_resolveFilename");
  expect(names.filter(isInstalled)).toEqual(here);
  const asked = resolving.mock.calls.map(([path]) => path);
  expect(asked.filter((path) => here.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
});

it("asks Node's own search for what is in no such folder, and says no to what nobody has", () => {
  const resolving = vi.spyOn(nodeModule as unknown as { _resolveFilename(path: string): string }, "_resolveFilename");
  expect(isInstalled("@nobody/has-this")).toBe(false);
  resolving.mockImplementation(() => "/pnp/virtual/package.json");
  expect(isInstalled("@somebody/keeps-it-elsewhere")).toBe(true);
  expect(() => assertInstalled("@nobody/has-this")).toThrow("@nobody/has-this");
});
