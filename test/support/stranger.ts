/** A stranger's project: the package as it is packed, beside nothing but its declared dependencies. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { capabilityFiles, pathFromRoot } from "./render-indexes.js";

export const run = promisify(execFile);
export const manifest = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  version: string;
  exports: Record<string, string | Record<string, string>>;
  imports: Record<string, Record<string, string>>;
  bin: Record<string, string>;
};

const installedNames = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];

/** The file that Node takes of an entry with conditions. */
export const usual = (entry: string | Record<string, string>) =>
  typeof entry === "string" ? entry : (entry.default ?? "");
export const groups = [...new Set(capabilityFiles().map(({ group }) => group))];

/** Every path that can be imported, with the module of src that it stands for. */
export const entries: [path: string, source: string][] = Object.entries(manifest.exports)
  .filter(([path]) => path !== "./package.json")
  .map(([path, entry]) => [path, usual(entry)] as const)
  .flatMap(([path, file]) => (path.includes("*") ? groups.map((group) => [path, file, group]) : [[path, file, ""]]))
  .map(([path = "", file = "", group = ""]) => [
    path.replace(".", "coinslot").replace("*", group),
    file.replace("./dist/", "src/").replace("*", group),
  ]);

/** Packs the package into a folder; resolves to the tarball's path. */
export async function packInto(folder: string): Promise<string> {
  const options = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", ["pack", ...options], { cwd: pathFromRoot(".") });
  return join(folder, stdout.trim());
}

/** Packs the package, and unpacks it into a new project. */
export async function openStranger() {
  const project = mkdtempSync(join(tmpdir(), "coinslot-dist-"));
  const installed = join(project, "node_modules/coinslot");
  const tarball = await packInto(project);
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  // Only what the manifest declares, and what a TypeScript host has anyway: anything else would not be found.
  for (const name of new Set([...installedNames, "@types/node"])) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(pathFromRoot(`node_modules/${name}`), link, "junction");
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", type: "module", private: true }));
  return { project, installed, tarball, remove: () => rmSync(project, { recursive: true, force: true }) };
}
