/** The command among others of a shell: in a pipe, behind the tab key, and with a facilitator that wants headers. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

describe("completion", () => {
  /** What bash offers for the last word of a line. */
  const offered = async (words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const script = `eval "$(node ${CLI} completion bash)"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _coinslot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await bash(script)).lines;
  };

  it.each([
    [["coinslot", "do"], ["doctor"]],
    [["coinslot", "call", "convert.u"], ["convert.unit"]],
    [["coinslot", "call", "convert.unit", "--max"], ["--max-usd"]],
    [["coinslot", "list", "--group", "barc"], ["barcode"]],
    [["coinslot", "completion", "f"], ["fish"]],
  ])("of bash after %j", async (words, found) => {
    expect(await offered(words)).toEqual(found);
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
