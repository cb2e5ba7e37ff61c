/** A shop with play money out of the packed package: for a host's own tests, and as a command. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, withServer } from "./servers.mjs";

const execute = promisify(execFile);

/** As docs/testing.md shows it, with each promise of it held. */
const PROGRAM = `
  import assert from "node:assert/strict";
  import { convertUnit } from "coinslot/capabilities/convert";
  import { testShop } from "coinslot/testing";
  const shop = await testShop({ capabilities: [convertUnit] });
  const { status, data, meta } = await shop.buy("convert.unit", { value: 1, from: "kg", to: "lb" });
  assert.equal(status, 200);
  assert.equal(data.items[0].result, 2.2046226218487757);
  assert.equal(await shop.balanceOf(shop.treasury), meta.costUsd);
  await shop.close();`;

export const testShopOfThePackage = {
  name: "testShop from the package: a paid call on its chain",
  async prove({ full }) {
    writeFileSync(join(full, "test-shop.mjs"), PROGRAM);
    await execute(process.execPath, ["test-shop.mjs"], { cwd: full, timeout: 120_000 });
  },
};

export const sandboxOfThePackage = {
  name: "coinslot sandbox from the package: a call paid by the command line",
  async prove({ full }) {
    const coinslot = join(full, "node_modules/.bin/coinslot");
    const port = await freePort();
    const server = { command: coinslot, args: ["sandbox"], cwd: full, env: {}, port };
    await withServer(server, async ({ origin, printed }) => {
      const key = /WALLET_KEY=(0x[0-9a-f]{64})/i.exec(printed())?.[1];
      assert.ok(key, "the sandbox tells its buyer's key");
      const args = ["call", "convert.unit", "value=150", "from=lb", "to=kg", "--json", "--url", origin];
      const env = { ...process.env, WALLET_KEY: key };
      const { stdout } = await execute(coinslot, args, { cwd: full, env, timeout: 60_000 });
      const { items } = JSON.parse(stdout);
      assert.equal(items[0].result, 68.0388555);
    });
  },
};
