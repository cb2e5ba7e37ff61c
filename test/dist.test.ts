/** The package as a stranger gets it: packed, unpacked beside nothing but its declared dependencies, and imported. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vendorFile } from "../scripts/bundled.mjs";
import { BUNDLED, IN_ONE_FILE } from "../scripts/bundled-names.mjs";
import { exportName } from "../src/discovery/export-name.js";
import { capabilityFiles, pathFromRoot } from "./support/render-indexes.js";
import { entries, groups, manifest, openStranger, packInto, run, usual } from "./support/stranger.js";

/** Our own files under every condition, such as those for bundlers, and for Cloudflare Workers alone. */
const underConditions = [...Object.values(manifest.exports), ...Object.values(manifest.imports)]
  .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
  .filter((file) => file.startsWith("./dist/"))
  .flatMap((file) => (file.includes("*") ? groups.map((group) => file.replace("*", group)) : [file]));

/** A folder's files, as paths below it with forward slashes. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(folder.length + 1).replaceAll("\\", "/")).sort();
}

const { project, installed, tarball, remove } = await openStranger();
afterAll(remove);

/** What a thread starts from, and what starts it: both keep their places. */
const threadFiles = () =>
  filesIn(pathFromRoot("src")).filter(
    (file) =>
      file.endsWith("/worker.ts") ||
      readFileSync(pathFromRoot(`src/${file}`), "utf8").includes('new URL("./worker.js"'),
  );

describe("the tarball", () => {
  it("holds the build, the documents that it has links to, and nothing else", () => {
    const outside = filesIn(installed).filter((file) => !/^(?:deploy|dist|docs|examples)\//.test(file));
    expect(outside).toEqual(
      ["AGENTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "package.json"].sort(),
    );
  });

  it("had dead links in README and docs: each leads to a file in it", () => {
    const pages = filesIn(installed).filter((file) => /^(?:docs\/|examples\/)?[^/]+\.md$/.test(file));
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/getting-started.md", "examples/README.md"]));
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), "utf8");
      const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = ""]) => link);
      const relative = links.filter((link) => !/^[a-z]+:/.test(link));
      return relative
        .filter((link) => !existsSync(join(installed, dirname(page), link)))
        .map((link) => `${page}: ${link}`);
    });
    expect(dead).toEqual([]);
  });

  it("holds few modules, each with its source map, and no declaration without a source", () => {
    const built = filesIn(join(installed, "dist"));
    const modules = built.filter((file) => file.endsWith(".js") && !file.startsWith("vendor/"));
    // What a host imports, what a thread starts from; beside them the chunks that they share, tables, and all for bundlers.
    expect(modules.filter((file) => !/^(?:chunks|modules|tables)\//.test(file))).toEqual(
      [
        ...new Set([
          ...entries.map(([, source]) => source.slice("src/".length)),
          ...threadFiles().map((file) => file.replace(/\.ts$/, ".js")),
          ...[...underConditions, ...Object.values(manifest.bin)]
            .filter((file) => file.endsWith(".js") && !file.startsWith("./dist/modules/"))
            .map((file) => file.slice("./dist/".length)),
        ]),
      ].sort(),
    );
    // What loads on demand, or in threads alone, has no map.
    const maps = built.filter((file) => file.endsWith(".js.map"));
    expect(maps.filter((file) => !modules.includes(file.slice(0, -".map".length)))).toEqual([]);
    const ofEntries = entries.map(([, source]) => `${source.slice("src/".length)}.map`);
    expect(["chunks/kernel.js.map", ...ofEntries].filter((file) => !maps.includes(file))).toEqual([]);
    // Declarations of packages that bring none are for our own compiler, which does not copy them.
    // What runs in a browser is built into a text of its own.
    const sources = filesIn(pathFromRoot("src")).filter(
      (file) => !file.endsWith(".d.ts") && !file.startsWith("docs/browser/"),
    );
    const declarations = new Set(sources.map((file) => file.replace(/\.ts$/, ".d.ts")));
    const written = built.filter((file) => file.endsWith(".d.ts"));
    expect(written.filter((file) => !declarations.has(file))).toEqual([]);
    // Only those that an entry point leads to.
    expect(written.length).toBeGreaterThan(entries.length);
    expect(written.length).toBeLessThan(declarations.size / 2);
  });

  it("has no marks of guards, which are for whoever reads the source", () => {
    const code = filesIn(join(installed, "dist")).filter((file) => /\.(?:js|ts)$/.test(file));
    expect(code.length).toBeGreaterThan(100);
    expect(code.filter((file) => readFileSync(join(installed, "dist", file), "utf8").includes("// guard: "))).toEqual(
      [],
    );
  });

  it("opens few files to import everything, so that a cold disk has little to find", () => {
    const opened = (from: string[], found = new Set<string>()): Set<string> => {
      for (const file of from.filter((one) => !found.has(one))) {
        found.add(file);
        const text = readFileSync(join(installed, "dist", file), "utf8");
        const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)"/gm)];
        opened(
          imports.map(([, path = ""]) => join(file, "..", path).replaceAll("\\", "/")),
          found,
        );
      }
      return found;
    };
    const files = [...opened(["index.js", "capabilities/index.js"])];
    expect(files).toEqual(expect.arrayContaining(["chunks/kernel.js", "chunks/catalogue-1.js"]));
    expect(files.filter((file) => !file.startsWith("capabilities/")).length).toBeLessThanOrEqual(12);
    expect(files.filter((file) => file.startsWith("modules/"))).toEqual([]);
  });

  it("keeps what every start loads at one byte a letter, so that Node reads it faster", () => {
    const shelves = filesIn(join(installed, "dist/chunks")).filter((file) =>
      /^(?:host|kernel|catalogue-\d)\.js$/.test(file),
    );
    expect(shelves.length).toBeGreaterThan(6);
    for (const file of [...shelves.map((shelf) => `chunks/${shelf}`), "vendor/zod.js"])
      expect(readFileSync(join(installed, "dist", file), "latin1"), file).not.toMatch(/[^\0-\x7f]/);
  });

  it("gives a bundler what one capability uses, and no more", async () => {
    const bundle = (contents: string) =>
      build({
        stdin: { contents, resolveDir: project },
        ...{ bundle: true, splitting: true, minify: true, format: "esm", platform: "node", metafile: true },
        ...{ outdir: join(project, "out"), write: false, logLevel: "error", external: ["zod"] },
        loader: { ".node": "empty" },
      });
    const { metafile, outputFiles } = await bundle('export { convertUnit } from "coinslot/capabilities/convert";');
    const ours = Object.keys(metafile.inputs).filter((file) => file.includes("node_modules/coinslot/dist/"));
    expect(ours.filter((file) => !/\/dist\/(?:modules|tables|vendor)\//.test(file))).toEqual([]);
    const [entry] = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint === "<stdin>");
    const atOnce = [entry?.[0], ...(entry?.[1].imports ?? []).filter(({ kind }) => kind === "import-statement")]
      .map((one) => (typeof one === "object" ? one.path : one))
      .map((path) => metafile.outputs[path ?? ""]?.bytes ?? 0);
    expect(atOnce.reduce((sum, bytes) => sum + bytes)).toBeLessThan(20_000);
    expect(outputFiles.length).toBeGreaterThan(1);
    const unused = await bundle('import { convertUnit } from "coinslot/capabilities/convert";');
    expect(unused.outputFiles.find(({ path }) => path.endsWith("stdin.js"))?.text).toBe("");
  });

  it("holds the libraries that are built in, with the notice of each package in them, and no source twice", () => {
    const vendor = filesIn(join(installed, "dist/vendor"));
    const notices = readFileSync(join(installed, "dist/vendor/LICENSES.txt"), "utf8");
    for (const name of [...BUNDLED, ...IN_ONE_FILE]) {
      expect(
        vendor.some((file) => file.startsWith(name.replace(/^@/, "").replace("/", "-"))),
        name,
      ).toBe(true);
      expect(notices).toContain(`\n${name} `);
    }
    const maps = filesIn(join(installed, "dist")).filter((file) => file.endsWith(".js.map"));
    for (const map of maps)
      expect(readFileSync(join(installed, "dist", map), "utf8"), map).not.toContain('"sourcesContent"');
  });

  it("lists for scanners each package that is built in, its version and licence, in CycloneDX", () => {
    const text = readFileSync(join(installed, "dist/vendor/sbom.cdx.json"), "utf8");
    const { bomFormat, specVersion, components, metadata } = JSON.parse(text);
    expect([bomFormat, specVersion, metadata.component.purl]).toEqual([
      "CycloneDX",
      "1.6",
      `pkg:npm/coinslot@${manifest.version}`,
    ]);
    const purls = components.map(({ purl }: { purl: string }) => purl);
    const notices = readFileSync(join(installed, "dist/vendor/LICENSES.txt"), "utf8");
    const noticed = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+) \(/gm)].map(
      ([, name = "", version = ""]) => `pkg:npm/${name.replace("@", "%40")}@${version}`,
    );
    expect(noticed.length).toBeGreaterThan(BUNDLED.length);
    expect(purls).toEqual([...noticed].sort());
    for (const { purl, licenses, properties } of components) {
      expect(licenses, purl).toHaveLength(1);
      for (const { value } of properties) expect(existsSync(join(installed, value)), value).toBe(true);
    }
    expect(text).not.toMatch(/timestamp|serialNumber/);
  });

  it("has the same bytes when it is packed again", async () => {
    const again = await packInto(mkdtempSync(join(project, "again-")));
    expect(readFileSync(again).equals(readFileSync(tarball))).toBe(true);
  });

  it("has of each library that is built in one file with what the library itself exports, but for zod's languages", async () => {
    const folder = join(installed, "dist/vendor");
    const files = readdirSync(folder).filter((file) => file.endsWith(".js"));
    const importsOf: Record<string, string[]> = {
      "opencc-js": ["opencc-js/core", "opencc-js/preset"],
      "read-excel-file": ["read-excel-file/node"],
      "pdfjs-dist": ["pdfjs-dist/legacy/build/pdf.mjs", "pdfjs-dist/legacy/build/pdf.worker.mjs"],
    };
    const pairs = [...BUNDLED, ...IN_ONE_FILE].map((name) => [
      [join(installed, vendorFile(name))],
      importsOf[name] ?? [name],
    ]);
    const script = `
      const kinds = async (path) => Object.entries(await import(path)).flatMap(([name, value]) =>
        name === "module.exports" || name === "locales" ? [] : [[name, typeof value], ...Object.keys(Object(value)).map((key) => [name + "." + key, 1])]);
      const of = async (paths) => Object.fromEntries((await Promise.all(paths.map(kinds))).flat());
      const all = await Promise.all(${JSON.stringify(pairs)}.map((pair) => Promise.all(pair.map(of))));
      console.log(JSON.stringify(all));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: pathFromRoot(".") });
    for (const [ours, theirs] of JSON.parse(stdout)) expect(ours).toEqual(theirs);
    expect(files).toHaveLength(pairs.length);
  });

  it("loads no chunk for its effects alone, so that bundlers have nothing to warn of", () => {
    for (const file of filesIn(join(installed, "dist")).filter((path) => path.endsWith(".js")))
      expect(readFileSync(join(installed, "dist", file), "utf8"), file).not.toMatch(/^import "/m);
  });

  const files = Object.entries({ ...manifest.exports, ...manifest.bin })
    .filter(([path]) => !path.includes("*"))
    .map(([, entry]) => usual(entry));
  it.each([...new Set([...files, ...underConditions])])("%s exists", (file) => {
    expect(filesIn(installed)).toContain(file.slice("./".length));
  });

  it("names the condition workerd for what Cloudflare Workers cannot load", () => {
    const modules = filesIn(join(installed, "dist")).filter((file) => file.endsWith(".js"));
    const importing = (name: string) =>
      modules.filter((file) =>
        new RegExp(`(?:from|import\\()[^"\n]*(?:"" \\+ )?"${name}"`).test(
          readFileSync(join(installed, "dist", file), "utf8"),
        ),
      );
    for (const name of ["@napi-rs/canvas", "undici", "puppeteer-core"])
      expect(importing(name), name).toEqual(["lib/packages/packages.js", "modules/lib/packages/packages.js"]);
    const conditions = manifest.imports["#packages"];
    expect(conditions).toMatchObject({ workerd: "./dist/modules/lib/packages/packages-on-workers.js" });
    expect(Object.keys(conditions ?? {})).toEqual(["workerd", "module", "default"]);
    // Threads start from files of their own, which no Worker has.
    const ofThreads = importing("node:worker_threads").filter((file) => !file.endsWith("/worker.js"));
    expect(ofThreads.map((file) => readFileSync(join(installed, "dist", file), "utf8").includes("parentPort"))).toEqual(
      ofThreads.map(() => true),
    );
  });
});

describe("imported by its name", () => {
  let names: Record<string, string[]>;
  beforeAll(async () => {
    const script = `
      const names = {};
      for (const path of ${JSON.stringify(entries.map(([path]) => path))})
        names[path] = Object.keys(await import(path)).sort();
      console.log(JSON.stringify(names));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
    names = JSON.parse(stdout);
  });

  it.each(entries)("%s has the names of %s", async (path, source) => {
    const module: object = await import(pathFromRoot(source.replace(/\.js$/, ".ts")));
    expect(names[path]).toEqual(Object.keys(module).sort());
    expect(names[path]).not.toEqual([]);
  });

  it("has the same names for bundlers", async () => {
    const files = Object.entries(manifest.exports).flatMap(([path, entry]) => {
      const { module = "" } = typeof entry === "string" ? {} : (entry as Record<string, string>);
      const fill = (text: string, group: string) => text.replace("*", group);
      if (module === "") return [];
      return (path.includes("*") ? groups : [""]).map((group) => [
        fill(path, group).replace(".", "coinslot"),
        join(installed, fill(module, group)),
      ]);
    });
    const script = `
      const names = {};
      for (const [path, file] of ${JSON.stringify(files)}) names[path] = Object.keys(await import(file)).sort();
      console.log(JSON.stringify(names));`;
    const { stdout } = await run(process.execPath, ["--conditions=module", "--input-type=module", "-e", script], {
      cwd: project,
    });
    expect(JSON.parse(stdout)).toEqual(names);
  });

  it.each(groups)("coinslot/capabilities/%s has its functions under their full names", (group) => {
    const expected = capabilityFiles().filter((file) => file.group === group);
    expect(names[`coinslot/capabilities/${group}`]).toEqual(expected.map(({ id }) => exportName(id)).sort());
  });

  it("has the holidays of the library that is built in, in 1950, 2026 and 2100", async () => {
    const countries = "AE AU BD BR CA CH CN DE EG ES ET FR GB GR ID IL IN IR JP KR MX NP SA TH TR US ZA".split(" ");
    const asked = countries.flatMap((country) => [1950, 2026, 2100].map((year) => ({ country, year })));
    const script = `
      import { calendarHolidays } from "coinslot/capabilities/calendar";
      const answers = [];
      for (const input of ${JSON.stringify(asked)}) answers.push((await calendarHolidays(input)).items);
      console.log(JSON.stringify(answers));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { calendarHolidays } = await import("../src/capabilities/calendar/holidays.js");
    const ours = JSON.parse(stdout);
    expect(countries.length).toBeGreaterThan(20);
    for (const [index, input] of asked.entries())
      expect(ours[index], JSON.stringify(input)).toEqual((await calendarHolidays(input)).items);
  });

  it("answers a first call", async () => {
    const script = `
      import { createHandler } from "coinslot";
      import { capabilities } from "coinslot/capabilities";
      const handle = createHandler({ capabilities, payment: false });
      const response = await handle(new Request("http://shop.test/api/convert/unit?value=1&from=kg&to=lb"));
      console.log(JSON.stringify({ count: capabilities.length, body: await response.json() }));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({
      count: capabilityFiles().length,
      body: { data: { ok: true, items: [{ result: 2.2046226218487757 }] } },
    });
  });

  it("has each file that a module looks for beside itself", () => {
    const dist = join(installed, "dist");
    const wanted = filesIn(dist)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) =>
        [
          ...readFileSync(join(dist, file), "utf8").matchAll(
            /new URL\((?:\/\*[^*]*\*\/ )?"(\.[^"]+)", import\.meta\.url\)/g,
          ),
        ].map(([, beside = ""]) => join(dist, file, "..", beside)),
      );
    expect(wanted.length).toBeGreaterThanOrEqual(threadFiles().length);
    expect(wanted.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("has what its command line reads beside its code", async () => {
    const cli = join(installed, "dist/cli/index.js");
    const { stdout } = await run(process.execPath, [cli, "config", "schema"], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ properties: { brand: { type: "object" } } });
    await run(process.execPath, [cli, "init", "resold", "--template", "resale"], { cwd: project });
    expect(readFileSync(join(project, "resold/Dockerfile"), "utf8")).toContain("serve");
  });

  it("draws in a thread whose file it finds", async () => {
    const script = `
      import { Worker } from "node:worker_threads";
      import { syncBuiltinESMExports, createRequire } from "node:module";
      const threads = createRequire(import.meta.url)("node:worker_threads");
      let answered = 0;
      threads.Worker = class extends Worker { constructor(...args) { super(...args); this.once("message", () => answered++); } };
      syncBuiltinESMExports();
      const { countdownGif } = await import("coinslot/capabilities/countdown");
      const { body } = await countdownGif({ endDate: "2030-01-01T00:00:00Z", seconds: 1, width: 200, height: 80 });
      console.log(Buffer.from(body).toString("latin1", 0, 6), answered);`;
    // In a file: a thread takes over the flags of its process, and would look for its own code in --eval.
    writeFileSync(join(project, "draws.mjs"), script);
    const { stdout } = await run(process.execPath, ["draws.mjs"], { cwd: project });
    expect(stdout).toBe("GIF89a 1\n");
  });

  it.each(["esm", "cjs"] as const)(
    "draws from a bundle of one %s file too, which has lost the thread's",
    async (format) => {
      const outfile = join(project, `bundle.${format === "esm" ? "mjs" : "cjs"}`);
      const contents = `
      import { countdownGif } from "coinslot/capabilities/countdown";
      countdownGif({ endDate: "2030-01-01T00:00:00Z", seconds: 1, width: 200, height: 80 })
        .then(({ body }) => console.log(Buffer.from(body).toString("latin1", 0, 6)));`;
      const external = ["@napi-rs/canvas", "dejavu-fonts-ttf"];
      const { warnings } = await build({
        stdin: { contents, resolveDir: project },
        ...{ outfile, format, external, bundle: true, platform: "node", logLevel: "silent" },
      });
      expect(warnings.filter(({ id }) => id !== "empty-import-meta")).toEqual([]);
      const { stdout } = await run(process.execPath, [outfile], { cwd: project });
      expect(stdout).toBe("GIF89a\n");
    },
  );

  it("keeps its inner files to itself", async () => {
    for (const path of ["coinslot/dist/index.js", "coinslot/handler", "coinslot/capabilities/convert/unit"]) {
      const script = `await import(${JSON.stringify(path)})`;
      const failing = run(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
      await expect(failing, path).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_MODULE_NOT_FOUND/);
    }
  });
});

describe("package-lock.json", () => {
  it("names no download address, so that every registry can serve it", () => {
    expect(readFileSync(pathFromRoot("package-lock.json"), "utf8")).not.toMatch(/"resolved":\s*"http/);
  });

  it("requires nothing that the package does not", () => {
    const { packages } = JSON.parse(readFileSync(pathFromRoot("package-lock.json"), "utf8"));
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
    expect(packages[""]).toMatchObject({ dependencies, peerDependencies });
    expect(packages[""]).not.toHaveProperty("optionalDependencies");
    expect(Object.keys(packages[""].dependencies).sort()).toEqual(Object.keys(dependencies).sort());
  });
});
