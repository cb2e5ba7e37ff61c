/** Files that were written to hurt whoever reads them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readHostFile } from "../../src/cli/config/host-file.js";

const folder = mkdtempSync(join(tmpdir(), "coinslot-hostile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const faultOf = async (text: string): Promise<string> => {
  const file = join(folder, "coinslot.yaml");
  writeFileSync(file, text);
  return readHostFile(file, { A: "1" }).then(
    () => "nothing",
    (error: Error) => error.message.replace(folder, ""),
  );
};

const bomb = (levels: number, width: number) =>
  [
    "a0: &a0 [x]",
    ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(width).fill(`*a${i}`)}]`),
  ].join("\n");

it.each([
  ["aliases of aliases", bomb(9, 9), "its aliases are too many"],
  ["an alias of itself", "a: &a [*a]", "too many parts, or is nested too deeply"],
  ["lists in lists", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`, "cannot be read as YAML (RESOURCE_EXHAUSTION)"],
  ["many parts", `a: [${"1,".repeat(60_000)}]`, "too many parts"],
  ["two of a name", "brand: {}\nbrand: {}", "line 2 cannot be read as YAML (DUPLICATE_KEY)"],
  ["a tag", "brand: !!js/function 'function () {}'", "cannot be read as YAML (TAG_RESOLVE_FAILED)"],
  ["two documents", "brand: {}\n---\nbrand: {}", "cannot be read as YAML (MULTIPLE_DOCS)"],
  ["a prototype", "__proto__: { payment: false }\nconstructor: {}", 'Unknown option "__proto__"'],
  ["more than a megabyte", `# ${"x".repeat(1024 * 1024)}`, "larger than 1048576 bytes"],
  ["a text that is none", "brand: { name: *S3CR3T }", "or lead nowhere"],
])("a file with %s is refused", async (_, text, message) => {
  const fault = await faultOf(text);
  expect(fault).toContain(message);
  expect(fault.length).toBeLessThan(1000);
  expect(fault).not.toContain("S3CR3T");
});

it("a secret is no folder, and no file of a megabyte", async () => {
  mkdirSync(join(folder, "keys"), { recursive: true });
  writeFileSync(join(folder, "large"), "x".repeat(1024 * 1024));
  expect(await faultOf("brand: { name: { file: keys } }")).toContain("it must be a file");
  expect(await faultOf("brand: { name: { file: large } }")).toContain("larger than 65536 bytes");
});
