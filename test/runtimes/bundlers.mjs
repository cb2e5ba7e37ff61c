/** Every bundler builds one capability and all of them, from the packed package in an otherwise empty folder, and says nothing. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A free shop that asks itself, and prints what it was answered. */
const program = (capabilities, lines) => `
import { createHandler } from "coinslot";
${capabilities}
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const handle = createHandler({ capabilities, payment: false, logger });
const ask = async (path, body) => {
  const init = body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await handle(new Request("http://a.test/api" + path, init));
  return [response.status, await response.text()];
};
// Not at the top: files that Rollup splits off import this one, and would wait for it while it waits for them.
async function main() {
  const answers = [];
${lines.map((line) => `  answers.push(await ask(${line}));`).join("\n")}
  await handle.close();
  console.log(JSON.stringify(answers));
}
void main();
`;
const UNIT = '"/convert/unit?value=1&from=kg&to=lb"';
const PROGRAMS = {
  one: program('import { convertUnit } from "coinslot/capabilities/convert";\nconst capabilities = [convertUnit];', [
    UNIT,
  ]),
  all: program('import { capabilities } from "coinslot/capabilities";', [
    UNIT,
    '"/calendar/business-days?country=DE&start=2026-12-23&addDays=3"',
    '"/barcode/generate", { data: { type: "text", text: "hello" }, output: "svg" }',
    // Without their packages.
    '"/dev/regex-test", { pattern: "a+", text: "caat" }',
    '"/crypto/gas-oracle?chain=base"',
  ]),
};
const STATUSES = { one: [200], all: [200, 200, 200, 502, 502] };

export const bundlers = ["webpack", "rspack", "rollup", "vite", "esbuild"].flatMap((bundler) =>
  Object.keys(PROGRAMS).map((what) => ({
    name: `Bundled by ${bundler}, ${what} of the capabilities, without a flag or a warning`,
    async prove({ folder, lean, bundlers: installed }) {
      const place = await installed();
      copyFileSync(new URL("bundle.mjs", import.meta.url), join(place, "bundle.mjs"));
      const entry = `${what}.mjs`;
      writeFileSync(join(lean, entry), PROGRAMS[what]);
      // Below the app, as builds are, so that Node finds what a bundler has left to it.
      const out = join(lean, `built-${bundler}-${what}`);
      const { stdout } = await execute(process.execPath, [join(place, "bundle.mjs"), bundler, entry, out], {
        cwd: lean,
        maxBuffer: 64e6,
      });
      assert.deepEqual(JSON.parse(stdout.trim().split("\n").at(-1)), []);
      const { stdout: printed } = await execute(process.execPath, [join(out, "main.mjs")], {
        cwd: folder,
        maxBuffer: 64e6,
      });
      const answers = JSON.parse(printed.trim().split("\n").at(-1));
      assert.deepEqual(
        answers.map(([status]) => status),
        STATUSES[what],
        printed,
      );
      assert.match(answers[0][1], /2\.2046226218487757/);
      for (const [status, text] of answers) if (status === 502) assert.match(text, /needs the package (?:re2js|viem)/);
    },
  })),
);
