import { build, type Metafile } from "esbuild";
import { expect, it } from "vitest";
import { pathFromRoot } from "../support/render-indexes.js";

/** The outputs that the client's first import loads, and those that it loads when a call needs them. */
async function bundle() {
  const { metafile } = await build({
    entryPoints: [pathFromRoot("src/client/index.ts")],
    ...{ bundle: true, minify: true, write: false, metafile: true, format: "esm", platform: "browser" },
    ...{ splitting: true, outdir: "/nowhere" },
  });
  const { outputs } = metafile;
  const first = Object.keys(outputs).find((path) => path.endsWith("index.js")) ?? "";
  const atOnce = new Set([first]);
  // A set that grows is walked to its end.
  for (const path of atOnce)
    for (const { path: next, kind } of (outputs[path] as Metafile["outputs"][string]).imports)
      if (kind === "import-statement") atOnce.add(next);
  const sum = (paths: string[]) => paths.reduce((bytes, path) => bytes + (outputs[path]?.bytes ?? 0), 0);
  return {
    inputs: Object.keys(metafile.inputs).map((path) => path.slice(path.indexOf("src/"))),
    atOnce: sum([...atOnce]),
    later: sum(Object.keys(outputs).filter((path) => !atOnce.has(path))),
  };
}

it("a browser's bundle of the client holds none of the catalogue and nothing of Node", async () => {
  const { inputs, atOnce, later } = await bundle();
  expect(
    inputs.filter((path) => !/^src\/(?:client\/|errors\.ts|lib\/(?:money|http\/url|options\/\w+)\.ts)/.test(path)),
  ).toEqual([]);
  expect(atOnce).toBeLessThan(27_700);
  // Payments by a wallet, streams, channels, checks of statements, limits of buyers and jobs, for the calls that need them.
  expect(later).toBeLessThan(19_600);
});
