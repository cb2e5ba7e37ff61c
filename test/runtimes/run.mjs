/**
 * The packed package on the real runtimes, in real bundles and under real compilers: node test/runtimes/run.mjs [name...]
 * Built first: npm run build. Installs from the registry, and says loudly when that cannot be reached.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startFacilitator } from "./facilitator.mjs";
import { PROOFS } from "./proofs.mjs";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const proofs = PROOFS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const folder = mkdtempSync(join(tmpdir(), "coinslot-runtimes-"));
const install = (cwd, ...args) =>
  execute("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline", ...args], { cwd });

/** The package twice: with all its optional peers and the runtimes, and lean, as it comes by itself. */
async function prepare() {
  const { stdout } = await execute("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
  });
  const tarball = join(folder, stdout.trim().split("\n").at(-1));
  const [full, lean] = ["full", "lean"].map((name) => join(folder, name));
  for (const place of [full, lean]) {
    mkdirSync(place);
    cpSync(join(root, "examples"), join(place, "examples"), { recursive: true });
    cpSync(join(here, "apps"), join(place, "apps"), { recursive: true });
  }
  cpSync(join(here, "package.json"), join(full, "package.json"));
  cpSync(join(here, "lean.package.json"), join(lean, "package.json"));
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await install(full, tarball, ...Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`));
  await install(lean, tarball);
  let frameworks;
  /** Installed by the first proof that wants them. */
  const installFrameworks = async () => {
    const place = join(folder, "frameworks");
    mkdirSync(place);
    cpSync(join(here, "frameworks.package.json"), join(place, "package.json"));
    await install(place, "--legacy-peer-deps", tarball);
    return place;
  };
  let bundlers;
  const installBundlers = async () => {
    const place = join(folder, "bundlers");
    mkdirSync(place);
    cpSync(join(here, "bundlers.package.json"), join(place, "package.json"));
    await install(place);
    return place;
  };
  return {
    ...{ folder, full, lean, install },
    frameworks: () => (frameworks ??= installFrameworks()),
    bundlers: () => (bundlers ??= installBundlers()),
  };
}

let failed = 0;
try {
  const places = await prepare().catch((error) => {
    if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|E40[0-9]|E5\d\d|ETARGET/.test(`${error.message}${error.stderr}`))
      throw error;
    console.error(
      `\n!!! SKIPPED: the registry cannot be reached, and none of the runtimes was tried.\n${error.stderr}`,
    );
  });
  if (places) {
    const facilitator = await startFacilitator();
    const env = { TREASURY_EVM: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", FACILITATOR_URL: facilitator.url };
    for (const { name, prove } of proofs) {
      try {
        console.log(`ok      ${name}${(await prove({ ...places, env })) ?? ""}`);
      } catch (error) {
        failed++;
        console.error(`FAILED  ${name}\n${error.stdout ?? ""}${error.stack}`);
      }
    }
    facilitator.close();
  }
} finally {
  if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? "" : `${failed} of ${proofs.length} failed`);
process.exit(failed === 0 ? 0 : 1);
