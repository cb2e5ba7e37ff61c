/** An install without optional dependencies: what it still does, and how it says what it does not. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { check } from "./checks.mjs";
import { entryPoints } from "./declarations.mjs";
import { freePort, withServer } from "./servers.mjs";

const MISSING = {
  "QR as PNG": "@napi-rs/canvas",
  Aztec: "bwip-js",
  countdown: "@napi-rs/canvas",
};

/** Served by an app of another name than the one that has everything. */
export const leanInstall = {
  name: "An install without optional peers",
  async prove({ lean, env }) {
    // Only who has that package imports its entry point.
    const paths = entryPoints(lean).filter((path) => path !== "coinslot/mcp");
    const program = `
      import assert from "node:assert/strict";
      for (const path of ${JSON.stringify(paths)}) await import(path);
      const { createHandler } = await import("coinslot");
      const { convertUnit } = await import("coinslot/capabilities/convert");
      assert.equal((await convertUnit({ value: 1, from: "kg", to: "lb" })).items[0].result, 2.2046226218487757);
      const treasury = { "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin" };
      const facilitator = { url: process.env.FACILITATOR_URL };
      assert.throws(() => createHandler({ capabilities: [convertUnit], payment: { treasury, facilitator } }), /@solana\\/web3\\.js/);`;
    writeFileSync(join(lean, "imports.mjs"), program);
    await promisify(execFile)(process.execPath, ["imports.mjs"], { cwd: lean, env: { ...process.env, ...env } });
    const server = {
      command: process.execPath,
      args: ["node.mjs"],
      cwd: join(lean, "apps"),
      env,
      port: await freePort(),
    };
    await withServer(server, ({ send, origin }) => check(send, { origin, missing: MISSING }));
    return `, ${paths.length} entry points`;
  },
};
