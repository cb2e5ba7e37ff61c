/** The command among others of a shell: in a pipe, behind the tab key, and with a facilitator that wants headers. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { CLI, coinslot } from "../support/cli.js";
import { TREASURY } from "../support/wallets.js";

const bash = async (script: string) => {
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script]);
  return { lines: stdout.trim().split("\n"), stderr };
};

it("ends quietly when its reader has seen enough", async () => {
  const { lines, stderr } = await bash(
    `set -o pipefail; node ${CLI} list --json | head -n 1; echo "code \${PIPESTATUS[0]}"`,
  );
  expect([lines.at(-1), stderr]).toEqual(["code 0", ""]);
});

/** Whether a program is installed; says so if it is not, because its tests are then skipped. */
function isInstalled(program: string): boolean {
  try {
    execFileSync("which", [program]);
    return true;
  } catch {
    console.warn(`${program} is not installed: its completion is not tested.`);
    return false;
  }
}

/** Keys typed at an interactive zsh; its function \`coinslot\` prints the line that the tab key has made. */
const zsh = (line: string) => `
  zmodload zsh/zpty; zpty z zsh -f -i
  zpty -w z 'PROMPT=""; coinslot() { print -r -- "GOT:$*" }; eval "$(node ${CLI} completion zsh)"; print READ""Y'
  while zpty -r z line '*'$'\\n'; do [[ $line == READY* ]] && break; done
  zpty -w z '${line}'$'\\t'
  while zpty -r z line '*'$'\\n'; do [[ $line == *GOT:* ]] && { print -r -- "\${line#*GOT:}"; break }; done
  zpty -d z`;

describe("completion", () => {
  /** The line that a shell makes of this one, whose last word is unfinished. */
  const completed = {
    async bash(line: string) {
      const words = line.split(" ");
      const quoted = words.map((word) => `'${word}'`).join(" ");
      const script = `eval "$(node ${CLI} completion bash)"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _coinslot; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return [...words.slice(0, -1), (await bash(script)).lines.join(" or ")].join(" ");
    },
    async zsh(line: string) {
      return `coinslot ${(await promisify(execFile)("zsh", ["-c", zsh(line)])).stdout.trim()}`;
    },
    async fish(line: string) {
      const script = `node ${CLI} completion fish | source; complete -C '${line}'`;
      const { stdout } = await promisify(execFile)("fish", ["--no-config", "-c", script]);
      return [...line.split(" ").slice(0, -1), stdout.trim().split("\n").join(" or ")].join(" ");
    },
  };

  describe.each(["bash", "zsh", "fish"] as const)("of %s", (shell) => {
    it.skipIf(!isInstalled(shell)).each([
      ["coinslot do", "coinslot doctor"],
      ["coinslot call convert.u", "coinslot call convert.unit"],
      ["coinslot call convert.unit --max-usd-", "coinslot call convert.unit --max-usd-per-day"],
      ["coinslot list --group barc", "coinslot list --group barcode"],
      ["coinslot completion f", "coinslot completion fish"],
    ])("makes of '%s' '%s'", async (line, whole) => {
      expect(await completed[shell](line)).toBe(whole);
    });
  });

  it.each(["bash", "zsh", "fish"])("of %s names every command", async (shell) => {
    const { code, out } = await coinslot(["completion", shell]);
    expect(code).toBe(0);
    for (const name of ["call", "doctor", "init", "convert.unit"]) expect(out).toContain(name);
  });
});

describe("doctor", () => {
  it("shows payments first, and sends the facilitator its headers", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((req, res) => {
      seen.push(req.headers.authorization);
      res.end(JSON.stringify({ kinds: [{ x402Version: 2, scheme: "exact", network: "eip155:8453" }] }));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = JSON.stringify({ Authorization: "Bearer abc" });
    const env = { TREASURY_EVM: TREASURY, FACILITATOR_URL: url, FACILITATOR_HEADERS: headers };
    const { out } = await coinslot(["doctor"], { env });
    server.close();
    expect(out.trim().split("\n")[0]).toBe("Payments");
    expect(out).toMatch(/ok +FACILITATOR_URL/);
    expect(seen).toEqual(["Bearer abc"]);
  });

  it("names headers that are none, and does not show them", async () => {
    const env = { TREASURY_EVM: TREASURY, FACILITATOR_URL: "http://127.0.0.1:9", FACILITATOR_HEADERS: "Bearer abc" };
    const { code, err } = await coinslot(["serve"], { env });
    expect([code, err]).toEqual([2, expect.stringContaining("FACILITATOR_HEADERS must be JSON")]);
    expect(err).not.toContain("abc");
  });
});

it.skipIf(!isInstalled("script"))(
  "init asks on a terminal for what no option says, and takes the default for no answer",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "coinslot-init-"));
    // A terminal of its own: questions are asked of nobody else.
    const command = `node ${CLI} init ${join(folder, "shop")} --network base`;
    const asked = spawn("script", ["-qec", command, "/dev/null"]);
    let screen = "";
    const answers = ["express\n", "\n"];
    let answered = 0;
    asked.stdout.on("data", (chunk) => {
      screen += chunk;
      // Each question is answered when it stands there: an answer before its question would be lost.
      const questions = screen.match(/\? \(/g)?.length ?? 0;
      for (; answered < questions; answered++) asked.stdin.write(answers[answered] ?? "");
    });
    const code = await new Promise((resolve) => asked.on("close", resolve));
    const { dependencies } = JSON.parse(await readFile(join(folder, "shop/package.json"), "utf8"));
    await rm(folder, { recursive: true });
    expect([code, answered]).toEqual([0, 2]);
    expect(screen).toContain("Which framework? (");
    expect(screen).not.toContain("On which network");
    expect(screen).toContain("express, memory, base");
    expect(Object.keys(dependencies)).toContain("express");
  },
);
