/** WAL-10, WAL-60: the process that holds the embedded database is killed in the middle of its writes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { storeKvGet, storeKvIncrement } from "../../src/capabilities/store/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { freshFolder } from "../support/fresh-folder.js";

const built = existsSync(fileURLToPath(new URL("../../dist/index.js", import.meta.url)));
if (!built) console.warn("SKIPPED: WAL-10 with kill -9: there is no dist/, run npm run build first");

const script = fileURLToPath(new URL("counting-process.mjs", import.meta.url));

it.skipIf(!built)(
  "WAL-10 WAL-60 killed at any moment, keeps all that it acknowledged, and does nothing twice",
  async () => {
    const folder = await freshFolder();
    const seen = new Map<string, number>();
    for (const [round, count] of [7, 1, 20].entries()) {
      const child = spawn(process.execPath, [script, folder, String(round)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let told = 0;
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        seen.set(`${round}-${told++}`, Number(line));
        if (told === count) child.kill("SIGKILL");
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    const handle = createHandler({
      ...{ capabilities: [storeKvIncrement, storeKvGet], payment: false, wallets: { dataDir: folder } },
    });
    const count = async () =>
      (await handle.call("store.kv-get", { ns: "n", key: "count" }, { wallet: "w" })).items[0]?.value as number;
    const before = await count();
    expect(before).toBeGreaterThanOrEqual(Math.max(...seen.values()));
    for (const [idempotencyKey, value] of seen) {
      const again = await handle.call("store.kv-increment", { ns: "n", key: "count" }, { wallet: "w", idempotencyKey });
      expect(again.items[0]?.value).toBe(value);
    }
    expect([await count(), new Set(seen.values()).size]).toEqual([before, seen.size]);
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  },
  60_000,
);
