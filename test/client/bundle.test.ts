import { build } from "esbuild";
import { expect, it } from "vitest";
import { pathFromRoot } from "../support/render-indexes.js";

it("a browser's bundle of the client holds none of the catalogue and nothing of Node", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [pathFromRoot("src/client/index.ts")],
    ...{ bundle: true, minify: true, write: false, metafile: true, format: "esm", platform: "browser" },
  });
  const inputs = Object.keys(metafile.inputs).map((path) => path.slice(path.indexOf("src/")));
  expect(
    inputs.filter((path) => !/^src\/(?:client\/|errors\.ts|lib\/(?:money|url|options\/\w+)\.ts)/.test(path)),
  ).toEqual([]);
  expect(outputFiles[0]?.contents.byteLength).toBeLessThan(27_500);
});
