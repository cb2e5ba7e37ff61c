/** Before the chain: the port, the packages and the build of `npm start`. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LOCAL_CHAIN, missingOf } from "../../scripts/local-chain-packages.mjs";
import { isFresh, isWholeAndFresh, markBuilt, quickBuild } from "../../scripts/quick-build.mjs";
import { start, TIMEOUT_MS } from "../support/npm-start.js";
import { pathFromRoot } from "../support/render-indexes.js";

let folder: string;
beforeEach(() => {
  // In the repository, so that what is built there finds its packages.
  const cache = pathFromRoot("node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "npm-start-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a port that is taken", () => {
  it("is said before anything is built or started", { timeout: TIMEOUT_MS }, async () => {
    const neighbour = createServer().listen(0, "127.0.0.1");
    await once(neighbour, "listening");
    const port = String((neighbour.address() as AddressInfo).port);
    const way = `Port ${port} is taken. Choose another one: PORT=8403 npm start\n`;
    const { exited, output } = await start({ PORT: port });
    expect([await exited, output]).toEqual([1, way]);
    const env = { ...process.env, PORT: port };
    const { status, stdout, stderr } = spawnSync(process.execPath, [pathFromRoot("scripts/start.mjs")], { env });
    expect([status, String(stdout), String(stderr)]).toEqual([1, "", way]);
    neighbour.close();
  });
});

describe("a build", () => {
  const dist = () => join(folder, "dist");
  const source = () => join(folder, "src");
  const fresh = () => isFresh(dist(), [source()]);
  /** Files that are written within one tick of the clock would look as old as the build. */
  const age = (path: string, seconds: number) => utimesSync(path, new Date(), new Date(Date.now() + seconds * 1000));

  it("is used again until a file changes, appears or goes", () => {
    mkdirSync(join(source(), "deep"), { recursive: true });
    writeFileSync(join(source(), "deep/a.ts"), "");
    expect(fresh()).toBe(false);
    markBuilt(dist());
    expect(fresh()).toBe(true);
    age(join(source(), "deep/a.ts"), 5);
    expect(fresh()).toBe(false);
    age(join(source(), "deep/a.ts"), -5);
    expect(fresh()).toBe(true);
    rmSync(join(source(), "deep/a.ts"));
    age(join(source(), "deep"), 5);
    expect(fresh()).toBe(false);
  });

  it("for this machine alone does not stand for the whole one, which is not made twice of the same", () => {
    mkdirSync(source());
    const whole = () => isWholeAndFresh(dist(), [source()]);
    expect(whole()).toBe(false);
    markBuilt(dist());
    expect([fresh(), whole()]).toEqual([true, false]);
    markBuilt(dist(), { whole: true });
    expect([fresh(), whole()]).toEqual([true, true]);
    age(source(), 5);
    expect(whole()).toBe(false);
  });

  it("for this machine alone runs, threads too, and has no declarations", { timeout: TIMEOUT_MS }, async () => {
    await quickBuild(dist());
    expect(isFresh(dist())).toBe(true);
    expect(readdirSync(dist(), { recursive: true }).filter((file) => String(file).endsWith(".d.ts"))).toEqual([]);
    const script = `
      const { createHandler } = await import("${dist()}/index.js");
      const { capabilities } = await import("${dist()}/capabilities/index.js");
      const handle = createHandler({ capabilities, payment: false });
      const ask = async (path) => (await handle(new Request("http://a.test/api" + path))).status;
      console.log(await ask("/convert/unit?value=1&from=kg&to=lb"), await ask("/calendar/holidays?country=DE&year=2026"),
        await ask("/countdown/gif?endDate=2030-01-01T00:00:00Z&seconds=1&width=200&height=80"));
      await handle.close();`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect([String(stdout), String(stderr)]).toEqual(["200 200 200\n", ""]);
  });
});

describe("the packages of the local chain", () => {
  it("are all that its files import, and of our development", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
    const files = ["local-chain", "agent"].flatMap((name) =>
      readdirSync(pathFromRoot(`examples/${name}`))
        .filter((file) => file.endsWith(".js"))
        .map((file) => readFileSync(pathFromRoot(`examples/${name}/${file}`), "utf8")),
    );
    const imported = files.flatMap((text) => [...text.matchAll(/^(?:import|\} from).*"([^".:][^":]*)";$/gm)]);
    const names = new Set(imported.map(([, path = ""]) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ""));
    names.delete("coinslot");
    expect(names).toContain("standardwebhooks");
    expect([...names].filter((name) => !(name in dependencies) && !LOCAL_CHAIN.includes(name))).toEqual([]);
    expect(LOCAL_CHAIN.filter((name) => !(name in devDependencies))).toEqual([]);
  });

  it("are brought where they are missing", () => {
    const require = createRequire(pathFromRoot("scripts/start.mjs"));
    expect(missingOf(LOCAL_CHAIN, require)).toEqual([]);
    expect(missingOf(["viem", "nobody-has-this-package"], require)).toEqual(["nobody-has-this-package"]);
    const elsewhere = createRequire(join(tmpdir(), "start.mjs"));
    expect(missingOf(LOCAL_CHAIN, elsewhere)).toEqual(LOCAL_CHAIN);
  });
});
