/** What installs packages is a program of the user's; here one that says what it was asked for. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { all } from "../../src/cli/catalogue.js";
import { featuresOf } from "../../src/cli/features.js";
import { main } from "../../src/cli/main.js";
import { pathFromRoot } from "../support/render-indexes.js";

const absent = vi.hoisted(() => new Set<string>());
vi.mock("../../src/lib/packages/installed.js", async (original) => {
  const real = await original<typeof import("../../src/lib/packages/installed.js")>();
  return { ...real, isInstalled: (name: string) => !absent.has(name) && real.isInstalled(name) };
});

let project: string;
let said: { out: string; err: string };

function hear(where: "out" | "err", text: unknown): boolean {
  said[where] += String(text);
  return true;
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "coinslot-add-"));
  said = { out: "", err: "" };
  vi.spyOn(process, "cwd").mockReturnValue(project);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => hear("out", text));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => hear("err", text));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  absent.clear();
  rmSync(project, { recursive: true, force: true });
});

/** A manager on the PATH that writes its words down. */
function install(name: string, exitCode = 0): () => string {
  const bin = join(project, "bin");
  const notes = join(project, "asked");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" > "${notes}"\nexit ${exitCode}\n`);
  chmodSync(join(bin, name), 0o755);
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
  return () => readFileSync(notes, "utf8").trim();
}

describe.skipIf(process.platform === "win32")("coinslot add", () => {
  it("runs the command that brings what features lack, each package once and in a version that works", async () => {
    for (const name of ["openai", "puppeteer-core", "third-party-web"]) absent.add(name);
    const asked = install("npm");
    expect(await main(["add", "ai", "screenshots", "ai"])).toBe(0);
    expect(asked()).toBe("npm install openai@6 puppeteer-core@24 third-party-web");
  });

  it.each([
    ["pnpm-lock.yaml", "pnpm add openai@6"],
    ["yarn.lock", "yarn add openai@6"],
    ["bun.lock", "bun add openai@6"],
    ["package-lock.json", "npm install openai@6"],
  ])("takes the manager of %s, also from a workspace below it", async (lock, command) => {
    absent.add("openai");
    writeFileSync(join(project, lock), "");
    const below = join(project, "packages/shop");
    mkdirSync(below, { recursive: true });
    for (const folder of [project, below]) {
      vi.mocked(process.cwd).mockReturnValue(folder);
      said.out = "";
      expect(await main(["add", "ai", "--dry-run"])).toBe(0);
      expect(said.out).toBe(`${command}\n`);
    }
  });

  it("runs nothing where nothing is missing, or where the command is only asked for", async () => {
    const asked = install("npm");
    expect(await main(["add", "ai"])).toBe(0);
    expect(said.err).toContain("Nothing to do");
    absent.add("openai");
    expect(await main(["add", "ai", "--dry-run"])).toBe(0);
    expect(asked).toThrow("ENOENT");
  });

  it("ends with 1 when the manager fails or is not there, and names the command", async () => {
    absent.add("openai");
    install("npm", 7);
    expect(await main(["add", "ai"])).toBe(1);
    vi.stubEnv("PATH", project);
    expect(await main(["add", "ai"])).toBe(1);
    expect(said.err).toContain("Run it yourself: npm install openai@6");
  });

  it("all: brings every optional package, each once", async () => {
    const { peerDependencies } = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
    for (const name of Object.keys(peerDependencies)) absent.add(name);
    const asked = install("npm");
    expect(await main(["add", "all"])).toBe(0);
    const names = asked()
      .replace("npm install ", "")
      .split(" ")
      .map((one) => one.replace(/(?<=.)@\d+$/, ""));
    expect(names).toEqual(Object.keys(peerDependencies).sort());
  });

  it.each([
    [["add", "screenshot"], "Did you mean screenshots?"],
    [["add", "al"], "Did you mean all?"],
    [["add"], "Name a feature"],
    [["add", "ai; rm -rf"], "There are:"],
    [["add", "constructor"], "There are:"],
  ])("%j ends with 2 and lists the features", async (args, hint) => {
    const asked = install("npm");
    expect(await main(args)).toBe(2);
    expect(said.err).toContain(hint);
    for (const name of ["ai", "barcodes", "solana", "wallets"])
      expect(said.err).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(asked).toThrow("ENOENT");
  });
});

const sources = readdirSync(pathFromRoot("src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(pathFromRoot(`src/${file}`), "utf8"))
  .join("\n");
const isImported = (name: string) => sources.includes(`import("${name}`);

describe("features", () => {
  const peers = Object.keys(JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8")).peerDependencies);
  const named = [...featuresOf(all).values()].flatMap(({ packages }) => packages);

  it("name every optional package, and nothing else", () => {
    expect([...new Set(named)].filter((name) => !peers.includes(name))).toEqual([]);
    expect(peers.filter((name) => !named.includes(name) && isImported(name))).toEqual([]);
  });

  it("that a group's capabilities need bring what these name, but no browser with ai", () => {
    for (const { id, group, packages } of all) {
      const feature = featuresOf(all).get(id === "ai.screenshot" ? "screenshots" : group);
      expect(feature?.packages ?? [], id).toEqual(expect.arrayContaining([...packages]));
    }
    expect(featuresOf(all).get("ai")?.packages).toEqual(["openai"]);
  });
});

describe("doctor", () => {
  it("prints one line that installs all that is missing", async () => {
    for (const name of ["openai", "bwip-js", "@napi-rs/canvas"]) absent.add(name);
    await main(["doctor"], {});
    expect(said.out).toMatch(/missing +openai +npm install openai@6, for ai\.\*/);
    const [own] = said.out.split("Packages\n")[1]?.split("\n\n") ?? [];
    expect(own?.split("\n").filter((line) => line.includes(" ok "))).toHaveLength(1);
    expect(said.out.match(/(?<=^ {2})npm install .*/gm)).toEqual(["npm install @napi-rs/canvas bwip-js openai@6"]);
    said.out = "";
    await main(["doctor", "--json"], {});
    expect(JSON.parse(said.out).install).toBe("npm install @napi-rs/canvas bwip-js openai@6");
  });

  it("printed ninety lines on a bare install: packages that are for the same are one, and what is unset is only named", async () => {
    const { peerDependencies } = JSON.parse(readFileSync(pathFromRoot("package.json"), "utf8"));
    for (const name of Object.keys(peerDependencies)) absent.add(name);
    await main(["doctor"], {});
    const lines = said.out.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThan(50);
    const fonts = lines.filter((line) => line.includes("noto-sans-arabic"));
    expect(fonts[0]).toMatch(/noto-sans-arabic .*noto-sans-thai .*npm install .*, for countdowns in other scripts/);
    expect(lines.find((line) => line.includes("GITHUB_TOKEN"))).toMatch(/unset +\d+ settings/);
    expect(said.out).toMatch(/\d+ of \d+ can be sold by coinslot serve/);
    said.out = "";
    await main(["doctor", "--json"], {});
    const { findings } = JSON.parse(said.out) as { findings: { name: string; state: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ name: "GITHUB_TOKEN", state: "unset" }));
    expect(findings.filter(({ name }) => name in peerDependencies).length).toBeGreaterThan(25);
  });

  it("wants what the environment asks for, and says nothing where all is there", async () => {
    for (const name of ["pg", "@solana/web3.js", "@x402/evm"]) absent.add(name);
    await main(["doctor"], {});
    expect(said.out).not.toContain("npm install");
    await main(["doctor"], { TREASURY_SVM: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", WALLET_KEY: "0x1" });
    expect(said.out).toContain("npm install @solana/web3.js@1 @x402/evm");
  });
});
