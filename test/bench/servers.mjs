/** The test suite's private Redis and Postgres. They are TypeScript, which Node 20 does not run: bundled first. */
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Below node_modules: from there the packages they import are found, and nothing is in the way of git or the linter.
const folder = fileURLToPath(new URL("../../node_modules/.cache/coinslot-bench/", import.meta.url));

/** @returns {Promise<Record<"redis" | "postgres", { url: string, stop(): Promise<void> } | undefined>>} */
export async function startStores() {
  const entry = (name) => fileURLToPath(new URL(`../support/${name}.ts`, import.meta.url));
  await build({
    entryPoints: [entry("redis"), entry("postgres")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  try {
    const { startRedis } = await import(`${folder}redis.mjs`);
    const { startPostgres } = await import(`${folder}postgres.mjs`);
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    return { redis, postgres };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
