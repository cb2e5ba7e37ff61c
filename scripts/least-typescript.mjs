/**
 * Checks the built declarations, and those that they lead to, with the least TypeScript that docs/getting-started.md names:
 * `npm run types:least`, after `npm run build`. It fetches that compiler by npx.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, least] =
  /TypeScript (\d+\.\d+) or later/.exec(readFileSync(join(root, "docs/getting-started.md"), "utf8")) ?? [];
if (!least) throw new Error("docs/getting-started.md names no least TypeScript.");

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.keys(exports)
  .filter((name) => !name.includes("*") && !name.endsWith(".json"))
  .map((name) => name.replace(/^\./, "coinslot"));
const folder = mkdtempSync(join(tmpdir(), "coinslot-types-"));
try {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/coinslot"));
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const uses = entries.map((entry, index) => `import * as entry${index} from "${entry}";\nexport { entry${index} };`);
  writeFileSync(join(folder, "all.ts"), uses.join("\n"));
  const options = "--noEmit --strict --target es2022 --module nodenext --skipLibCheck false --types node all.ts".split(
    " ",
  );
  execFileSync("npx", ["--yes", "-p", `typescript@${least}`, "tsc", ...options], { cwd: folder, stdio: "inherit" });
  console.log(`TypeScript ${least} reads the declarations of ${entries.length} entry points.`);
} finally {
  rmSync(folder, { recursive: true });
}
