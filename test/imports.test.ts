import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { BUNDLED } from "../scripts/bundled-names.mjs";
import { installable, MAJOR_VERSIONS } from "../src/errors.js";
import { pathFromRoot } from "./support/render-indexes.js";

const manifest: Record<"dependencies" | "peerDependencies" | "devDependencies", Record<string, string>> & {
  peerDependenciesMeta: Record<string, { optional: boolean }>;
  optionalDependencies?: object;
} = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));

const HEAVY = [
  ...["viem", "puppeteer-core", "openai", "@solana/web3.js", "date-holidays", "opencc-js", "pinyin-pro"],
  ...["@napi-rs/canvas", "gifenc", "lean-qr", "bwip-js", "minisearch", "undici", "cheerio"],
];

function bundle(entry: string, options: { packages?: "external"; external?: string[]; minify?: boolean }) {
  return build({
    stdin: { contents: entry, resolveDir: pathFromRoot("."), loader: "ts" },
    bundle: true,
    // With splitting, what is imported dynamically stays out of the entry, as at run time.
    splitting: true,
    format: "esm",
    platform: "node",
    minify: true,
    metafile: true,
    write: false,
    outdir: "out",
    loader: { ".node": "empty" },
    ...options,
  });
}

function isHeavy(path: string): boolean {
  return HEAVY.some((name) => path === name || path.startsWith(`${name}/`));
}

/** The outputs that load with one of them: itself, and what it imports statically. */
function loadedWith({ outputs }: Metafile, path: string, seen = new Map<string, Metafile["outputs"][string]>()) {
  const output = outputs[path];
  if (!output || seen.has(path)) return seen;
  seen.set(path, output);
  for (const { kind, path: next } of output.imports)
    if (kind === "import-statement") loadedWith({ inputs: {}, outputs }, next, seen);
  return seen;
}

test.each(["src/capabilities/index.ts", "src/discovery/search.ts"])(
  "%s loads no heavy library by itself",
  async (file) => {
    const { metafile } = await bundle(`export * from "./${file}";`, { packages: "external", minify: false });
    const heavy = (outputs: Iterable<Metafile["outputs"][string]>, kinds: string[]) =>
      [...outputs].flatMap(({ imports }) =>
        imports.filter(({ path, kind }) => isHeavy(path) && kinds.includes(kind)).map(({ path }) => path),
      );
    expect(heavy(Object.values(metafile.outputs), ["import-statement", "dynamic-import"])).not.toEqual([]);
    expect(heavy(loadedWith(metafile, "out/stdin.js").values(), ["import-statement"])).toEqual([]);
  },
);

test("a batch brings none of the capabilities that it may call", async () => {
  const { metafile } = await bundle(`export { batchRun } from "./src/capabilities/batch/index.ts";`, {
    packages: "external",
  });
  // What is imported dynamically counts too: a bundler emits it.
  const others = Object.keys(metafile.inputs).filter((path) =>
    /^src\/(capabilities\/(?!batch)|providers|engines)/.test(path),
  );
  expect(others).toEqual([]);
  // What changes wallets' state inside a batch is loaded where there is such a call.
  const loaded = [...loadedWith(metafile, "out/stdin.js").values()];
  expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(20_000);
});

test("one capability from its group costs a few kilobytes", async () => {
  const entry = `export { convertUnit } from "./src/capabilities/convert/index.ts";`;
  const { metafile } = await bundle(entry, { external: ["zod"] });
  const bytes = [...loadedWith(metafile, "out/stdin.js").values()].reduce((sum, output) => sum + output.bytes, 0);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(18_800);
});

test("every package that src imports at run time is a declared dependency", async () => {
  const { dependencies, peerDependencies } = manifest;
  const declared = [...Object.keys({ ...dependencies, ...peerDependencies }), ...BUNDLED];
  const files = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
  );
  // One bundle of all of them: as bundles of their own each would hold what it imports once more.
  const all = files.map((file, index) => `export * as file${index} from "./src/${file}";`).join("\n");
  const { metafile } = await bundle(all, { packages: "external", minify: false });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const packages = new Set(packagesOf(imported.map(({ path }) => path)));
  expect([...packages].filter((name) => !declared.includes(name))).toEqual([]);
  expect(packages).toContain("csv-parse");
});

/** The packages of import paths; the modules of Node and of Cloudflare's runtime are none. */
function packagesOf(paths: string[]): string[] {
  const outside = paths.filter((path) => !/^(?:node|cloudflare):/.test(path) && !builtinModules.includes(path));
  return outside.map((path) =>
    path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/"),
  );
}

/** Entry points of their own, which nobody imports without their package. */
const ENTRIES_OF_A_PACKAGE = ["src/mcp/index.ts"];
/** Programs for readers, as text. */
const SAMPLES = ["src/docs/browser/form/samples.ts", "src/cli/project/files.ts"];

test("an optional package is imported on demand, with a catch that names it, so that runtimes and bundlers do without", () => {
  // Whoever mounts on a framework has it.
  const names = Object.keys(manifest.peerDependencies)
    .filter((name) => !["fastify", "hono"].includes(name))
    .join("|");
  const unguarded = new RegExp(`(?<!typeof )import\\("(?:${names})(?:/[^"]*)?"\\)(?!\\s*\\.catch\\()`, "g");
  const eager = new RegExp(`^import (?!type )[^;]*?from "(?:${names})(?:/[^"]*)?"`, "gm");
  const found = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((file) => ![...ENTRIES_OF_A_PACKAGE, ...SAMPLES].includes(file))
    .flatMap((file) => {
      const text = readFileSync(pathFromRoot(file), "utf8");
      return [...text.matchAll(unguarded), ...text.matchAll(eager)].map(([statement]) => `${file}: ${statement}`);
    });
  expect(found).toEqual([]);
});

test("what starts a thread is imported on demand by capabilities, so that the build leaves it beside the thread's file", () => {
  const files = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replaceAll("\\", "/"), readFileSync(pathFromRoot(`src/${file}`), "utf8")] as const);
  const starters = files.filter(([, text]) => text.includes('new Worker(new URL("./worker.js"')).map(([file]) => file);
  const eager = files
    .filter(([file]) => file.startsWith("capabilities/"))
    .filter(([, text]) =>
      starters.some((one) => new RegExp(`^import (?!type )[^;]*"[./]*/${one.replace(/ts$/, "js")}";`, "m").test(text)),
    )
    .map(([file]) => file);
  expect(starters).toContain("engines/worker-tasks/pool.ts");
  expect(eager).toEqual([]);
});

test("a CommonJS library is taken by its default export or by `named`, which a bundle in several files needs", async () => {
  const sources = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !SAMPLES.includes(`src/${file.replaceAll("\\", "/")}`))
    .map((file) => readFileSync(pathFromRoot(`src/${file}`), "utf8"));
  const imports = sources.flatMap((text) => [
    ...text.matchAll(/(\{ default: \w+ \} = await )?import\("([^".:][^":]*)"\)([\s\S]{0,80})/g),
  ]);
  const packages = [...new Set(imports.map(([, , name = ""]) => name))];
  const { outputs } = (await bundle(packages.map((name) => `import("${name}");`).join("\n"), { minify: false }))
    .metafile;
  const ofName = (name: string) =>
    Object.values(outputs).find(({ entryPoint }) => entryPoint?.includes(`node_modules/${name}/`));
  const whole = packages.filter((name) => ofName(packagesOf([name])[0] ?? name)?.exports.join() === "default");
  expect(whole).toContain("undici");

  const unnamed = imports.filter(([, byDefault, name = "", after = ""]) => {
    const how = after.replace(/^\s*\.catch\(without\("[^"]+"\)\)/, "");
    return whole.includes(name) && !byDefault && !/^\)*(?:\s*\.then\(named\)|\.default)/.test(how);
  });
  expect(unnamed.map(([text]) => text)).toEqual([]);
});

test("every install brings what all hosts need; all else is an optional peer, and one of our development", () => {
  expect(manifest.optionalDependencies).toBeUndefined();
  const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = manifest;
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(Object.keys(peerDependencies).map((name) => [name, { optional: true }])),
  );
  expect(Object.keys(peerDependencies).filter((name) => !(name in devDependencies))).toEqual([]);
  // A host that has another version already could not install us at all, for a feature that it may not want.
  expect(Object.values(peerDependencies).filter((range) => !/^>=\d+(\.\d+)*$/.test(range))).toEqual([]);
  expect(BUNDLED.filter((name) => name in dependencies || !(name in devDependencies))).toEqual([]);
});

test("the command that brings a package names the version that we work with", () => {
  for (const [name, major] of Object.entries(MAJOR_VERSIONS))
    expect(manifest.peerDependencies[name], name).toBe(`>=${major}`);
  expect([installable("openai"), installable("constructor"), installable("bwip-js")]).toEqual([
    ...["openai@6", "constructor", "bwip-js"],
  ]);
});

test("the table of what an install leaves out names every optional package, heavy ones with their weight", () => {
  const [, table = ""] =
    /\| Feature[^\n]*\n([\s\S]*?)\n\n/.exec(readFileSync(pathFromRoot("docs/deploying.md"), "utf8")) ?? [];
  const rows = table
    .split("\n")
    .slice(1)
    .map((row) => row.split("|").slice(2, 4));
  const named = rows.flatMap(([names = "", weights = ""]) => {
    expect(weights, names).toMatch(/^(?: (?:under )?\d+ MB(?: each)?,?)+ $/);
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  });
  expect(named.sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
});
