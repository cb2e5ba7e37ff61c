import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";
import { pathFromRoot } from "./support/render-indexes.js";

const HEAVY = [
  ...["viem", "puppeteer-core", "openai", "@solana/web3.js", "date-holidays", "opencc-js", "pinyin-pro"],
  ...["@napi-rs/canvas", "gifenc", "qrcode", "bwip-js", "minisearch", "undici", "cheerio"],
];

function bundle(entry: string, external: { packages?: "external"; external?: string[] }) {
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
    ...external,
  });
}

function isHeavy(path: string): boolean {
  return HEAVY.some((name) => path === name || path.startsWith(`${name}/`));
}

test.each(["src/capabilities/index.ts", "src/discovery/search.ts"])(
  "%s loads no heavy library by itself",
  async (file) => {
    const { metafile } = await bundle(`export * from "./${file}";`, { packages: "external" });
    const imports = Object.entries(metafile.inputs).flatMap(([from, input]) =>
      input.imports.filter(({ path }) => isHeavy(path)).map(({ path, kind }) => ({ from, path, kind })),
    );
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter(({ kind }) => kind !== "dynamic-import")).toEqual([]);
  },
);

/** Bytes of an output and of everything that it imports statically. */
function weight({ outputs }: Metafile, path: string, seen = new Set<string>()): number {
  const output = outputs[path];
  if (!output || seen.has(path)) return 0;
  seen.add(path);
  const chunks = output.imports.filter(({ kind }) => kind === "import-statement");
  return chunks.reduce((sum, chunk) => sum + weight({ inputs: {}, outputs }, chunk.path, seen), output.bytes);
}

test("one capability from its group costs a few kilobytes", async () => {
  const entry = `export { convertUnit } from "./src/capabilities/convert/index.ts";`;
  const { metafile } = await bundle(entry, { external: ["zod"] });
  const bytes = weight(metafile, "out/stdin.js");
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(12_000);
});
