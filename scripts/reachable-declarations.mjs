/** Declarations that no entry point of the package leads to: nobody can import them, and they weigh as much as the others. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

export function removeUnreachableDeclarations() {
  const { exports, imports } = JSON.parse(readFileSync("package.json", "utf8"));
  const all = readdirSync("dist", { recursive: true })
    .map((file) => join("dist", file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".d.ts"));
  const reached = reachedFrom(
    targetsOf([exports, imports]).flatMap((target) => matching(target, all)),
    new Set(all),
  );
  for (const file of all) if (!reached.has(file)) rmSync(file);
}

/** Files of declarations that the fields `exports` and `imports` name; a star stands for any part of a path. */
function targetsOf(value) {
  if (typeof value !== "string") return Object.values(value).flatMap(targetsOf);
  return /\.(?:js|d\.ts)$/.test(value) ? [value.replace(/^\.\//, "").replace(/\.js$/, ".d.ts")] : [];
}

function matching(target, all) {
  if (!target.includes("*")) return [target];
  const [before, after] = target.split("*");
  return all.filter((file) => file.startsWith(before) && file.endsWith(after));
}

function reachedFrom(files, all) {
  const reached = new Set();
  const left = [...files];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file) || !all.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/["'](\.{1,2}\/[^"']+?)\.js["']/g))
      left.push(join(dirname(file), `${path}.d.ts`).replaceAll("\\", "/"));
  }
  return reached;
}
