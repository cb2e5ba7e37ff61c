import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, printBar, printTable } from "./measure.mjs";

export const title =
  "A new process: one operation on wallets' state imported, and its first call on a folder that is there";

const RUNS = 7;
const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Wall time from the process's own first line to its last, without Node's start. */
async function ms(code) {
  const timed = `const startedAt = performance.now();\n${code}\nconsole.log(performance.now() - startedAt); process.exit(0);`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "--eval", timed], { cwd: root });
  return Number(stdout);
}

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), "coinslot-bench-"));
  const [ours, plain] = [join(folder, "ours"), join(folder, "plain")];
  const programs = [
    { name: "import the store operations", code: 'await import("coinslot/capabilities/store");' },
    { name: "import the conversions", code: 'await import("coinslot/capabilities/convert");' },
    {
      name: "store.kv-put, first call",
      code: `const { storeKvPut } = await import("coinslot/capabilities/store");
        await storeKvPut({ ns: "n", key: "k", value: 1 }, { wallet: "bench", wallets: { dataDir: ${JSON.stringify(ours)} } });`,
    },
    {
      name: "PGlite.create and one upsert",
      code: `const { PGlite } = await import("@electric-sql/pglite");
        const database = await PGlite.create({ dataDir: ${JSON.stringify(plain)} });
        await database.exec("create table if not exists plain (k text primary key, v text)");
        await database.query("insert into plain values ('k', '1') on conflict (k) do update set v = excluded.v");`,
    },
  ];
  for (const { code } of programs) await ms(code);
  const runs = programs.map(() => []);
  for (let i = 0; i < RUNS; i++) for (const [n, { code }] of programs.entries()) runs[n].push(await ms(code));
  await rm(folder, { recursive: true, force: true });
  const [imported, unit, first, create] = runs.map(median);
  printTable(
    ["", "median"],
    programs.map(({ name }, i) => [name, `${median(runs[i]).toFixed(0)} ms`]),
  );
  return [
    printBar("import of the operations beside the conversions", imported / unit, { atMost: 1.3 }),
    printBar("first call beside PGlite.create and one upsert", first / create, { atMost: 2 }),
  ];
}
