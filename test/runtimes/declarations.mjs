/** The package's declarations in a strict project that checks those of its libraries too, and has no @types/node of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Every path that can be imported. */
export function entryPoints(place) {
  const installed = join(place, "node_modules/coinslot");
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const groups = readdirSync(join(installed, "dist/capabilities"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .flatMap((path) => (path.includes("*") ? groups.map((group) => path.replace("*", group)) : [path]))
    .map((path) => path.replace(".", "coinslot"));
}

const checked = (name, { of, compiler, without = [], options = {} }) => ({
  name: `Declarations: ${name}`,
  async prove({ [of]: place, full }) {
    const project = join(place, `types-${name.replace(/\W+/g, "-")}`);
    mkdirSync(project);
    const paths = entryPoints(place).filter((path) => !without.includes(path));
    const imports = paths.map((path, index) => `import * as entry${index} from "${path}";`);
    const names = paths.map((_, index) => `entry${index}`);
    writeFileSync(join(project, "host.ts"), `${imports.join("\n")}\nexport const all = [${names.join(", ")}];\n`);
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: false, noEmit: true, module: "nodenext", target: "es2023" },
      ...options,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["host.ts"] }));
    const tsc = join(full, "node_modules", compiler, "bin/tsc");
    await execute(process.execPath, [tsc, "-p", project]);
    return `, ${paths.length} entry points`;
  },
});

export const declarations = [
  checked("TypeScript 5.9", { of: "full", compiler: "typescript" }),
  checked("TypeScript 5.9, no types named", { of: "full", compiler: "typescript", options: { types: [] } }),
  checked("TypeScript 7", { of: "full", compiler: "typescript-next" }),
  // Whose types are those of an optional package.
  checked("a lean install", { of: "lean", compiler: "typescript", without: ["coinslot/mcp", "coinslot/testing"] }),
];
