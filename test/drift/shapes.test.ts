/** src/drift/shapes.ts is derived from recordings that lie beside the repository: `npm run shapes` writes it anew. */
import { expect, test } from "vitest";
import { pathFromRoot } from "../support/render-indexes.js";
import { deriveShapes } from "./derive.js";
import { documented } from "./documented.js";
import { cases, parts, present } from "./recorded-runs.js";

test.skipIf(!present)(
  "src/drift/shapes.ts is what the recordings look like",
  async () => {
    const shapes = await deriveShapes({ cases, parts, documented });
    const lines = shapes.map((shape) => `  ${JSON.stringify(shape)},`);
    const text = [
      "// Generated: npm run shapes",
      'import type { StoredShape } from "./shape.js";',
      "",
      "/** Answers of upstreams when they were recorded: structure, and no values. */",
      "// biome-ignore format: one line each",
      "export const SHAPES: readonly StoredShape[] = [",
      ...lines,
      "];",
      "",
    ].join("\n");
    await expect(text).toMatchFileSnapshot(pathFromRoot("src/drift/shapes.ts"));
  },
  600_000,
);
