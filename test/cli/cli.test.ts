/** The built command, run as a process of its own, as a shell runs it; what only prints is also tried without one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { CLI, coinslot, coinslotHere } from "../support/cli.js";

const folder = mkdtempSync(join(tmpdir(), "coinslot-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const UNIT = ["call", "convert.unit", "value=150", "from=lb", "to=kg"];

describe("call", () => {
  it("runs a capability here, and shows it without colours where nobody watches", async () => {
    const { code, out } = await coinslot(UNIT);
    expect(code).toBe(0);
    expect(out).toMatch(/^result +68\.0388555$/m);
    expect(out).not.toContain("\u001b");
  });

  it("takes JSON from an option or a pipe, and gives JSON", async () => {
    const input = '{"value":150,"from":"lb","to":"kg"}';
    for (const given of [{ args: [input] }, { args: ["-"], stdin: input }]) {
      const args = ["call", "convert.unit", "--json", "--input", ...given.args];
      const { out } = await coinslot(args, given.stdin === undefined ? {} : { stdin: given.stdin });
      expect(JSON.parse(out)).toMatchObject({ ok: true, items: [{ result: 68.0388555 }] });
    }
  });

  it("saves a picture to a file, sets fields of objects by a dot, and pipes bytes", async () => {
    const file = join(folder, "code.png");
    const words = ["barcode.generate", "data.type=url", "data.url=https://example.com", "output=png", "size=128"];
    const { code, err } = await coinslot(["call", ...words, "--out", file]);
    expect([code, err]).toEqual([0, expect.stringContaining(`Saved ${file} (image/png, `)]);
    const saved = readFileSync(file);
    expect(saved.subarray(1, 4).toString()).toBe("PNG");
    const piped = await coinslot(["call", ...words]);
    expect(piped.bytes.equals(saved)).toBe(true);
  });

  it("saves a result as JSON where it has no file of its own", async () => {
    const file = join(folder, "unit.json");
    const { code, err } = await coinslot(["call", "convert.unit", "value=1", "from=kg", "to=lb", "--out", file]);
    expect([code, err]).toEqual([0, expect.stringContaining(`Saved ${file} (application/json, `)]);
    expect(JSON.parse(readFileSync(file, "utf8")).items[0]).toMatchObject({ value: 1, dimension: "mass" });
  });

  it("reads a file into a field of base64, and says which file it cannot read", async () => {
    const file = join(folder, "prices.csv");
    writeFileSync(file, "id,price\n1,4.5\n");
    const { out } = await coinslot(["call", "data.convert", `file=@${file}`, "from=csv", "to=json", "--json"]);
    expect(JSON.parse(out).items[0].value).toEqual([{ id: 1, price: 4.5 }]);
    const { code, err } = await coinslot(["call", "data.convert", "file=@none.csv", "to=json"]);
    expect([code, err]).toEqual([2, expect.stringContaining("file: the file none.csv cannot be read.")]);
  });

  it("reads JSON for a field that takes text, too, and keeps text that is none", async () => {
    const place = async (from: string) => {
      const { out } = await coinslot(["call", "geo.distance", `from=${from}`, "to=[13.4,52.5]", "--json"]);
      return JSON.parse(out).items[0].meters;
    };
    expect(await place("[13.4,52.5]")).toBe(0);
    expect(await place("52.5, 13.4")).toBe(0);
    const gradient = '{"type":"linear","stops":[{"offset":0,"color":"#000"},{"offset":1,"color":"#00f"}]}';
    const drawn = await coinslot([
      "call",
      "barcode.generate",
      "data.type=text",
      "data.text=[1]",
      `style.foreground=${gradient}`,
    ]);
    expect([drawn.code, drawn.out]).toEqual([0, expect.stringContaining("<linearGradient")]);
  });

  it("ends a process with 2 when used wrongly", async () => {
    const { code, out, err } = await coinslot(["call", "convert.units"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Did you mean convert.unit?");
  });

  it("ends with 1 when the call fails, and says why", async () => {
    const { code, out, err } = await coinslot(["call", "convert.unit", "value=1", "from=kg", "to=km"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("INCOMPATIBLE_UNITS");
  });

  it.each([
    [["call", "convert.units"], "Did you mean convert.unit?"],
    [["call", "unit"], "convert.unit"],
    [["call"], "Name an endpoint"],
    [["call", "convert.unit"], "value"],
    [["call", "convert.unit", "value=x", "from=lb", "to=kg"], "value"],
    [["completion"], "Name a shell"],
    [["completion", "tcsh"], "bash, zsh, fish"],
    [[...UNIT, "form=lb"], "Did you mean from?"],
    [[...UNIT, "--jsno"], "Did you mean --json?"],
    [[...UNIT, "value"], "must be name=value"],
    [["call", "convert.unit", "--input", "{"], "JSON object"],
    [[...UNIT, "--url", "nowhere"], "--url must be an address"],
    [[...UNIT, "--url", "http://127.0.0.1:9", "--max-usd", "much"], '--max-usd must be US dollars, such as "0.05"'],
    [["cal"], "Did you mean call?"],
    [["list", "--group", "convrt"], "Did you mean convert?"],
    [["serve"], "TREASURY_EVM or TREASURY_SVM is missing"],
    [["serve", "--port", "x", "--free"], "A port is a number"],
  ])("ends with 2 when used wrongly, and says what was meant: %j", async (args, hint) => {
    const { code, out, err } = await coinslotHere(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(hint);
  });
});

describe("help", () => {
  it.each(Object.keys(COMMANDS))("of %s teaches by an example", async (command) => {
    const { code, out } = await coinslotHere([command, "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^  .*coinslot ${command}|^coinslot ${command}`, "m"));
  });

  it("comes without a command too", async () => {
    expect(await coinslot([])).toMatchObject({ code: 2, out: expect.stringContaining("Commands") });
    expect(await coinslot(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("doctor") });
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await coinslot(["--version"])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

it("list, search and describe lead from a task to a call that works", async () => {
  expect((await coinslot(["list", "--group", "convert"])).out).toMatch(/^convert\.unit +0\.001 USD/m);
  const found = await coinslot(["search", "convert", "pounds", "to", "kilograms", "--json"]);
  const { results } = JSON.parse(found.out) as { results: { id: string }[] };
  expect(results[0]?.id).toBe("convert.unit");
  const { out } = await coinslot(["describe", "convert.unit"]);
  const [, example = ""] = /coinslot (call .*)\n/.exec(out) ?? [];
  expect((await coinslot(example.split(" "))).code).toBe(0);
});

it("list and search say last what cannot be called here, and why", async () => {
  const { endpoints } = JSON.parse((await coinslot(["list", "--group", "ai", "--json"])).out) as {
    endpoints: { available: boolean }[];
  };
  expect(endpoints.map(({ available }) => available)).toEqual(
    endpoints.map(({ available }) => available).sort((a, b) => Number(b) - Number(a)),
  );
  const { out } = await coinslot(["search", "translate"]);
  expect(out).toMatch(/^ai\.translate .*\(not available: It is not configured on this service\.\)/m);
});

describe("doctor", () => {
  it("tells what is missing, which is no failure", async () => {
    const { code, out } = await coinslot(["doctor"], { env: { FDIC_API_KEY: "x" } });
    expect(code).toBe(0);
    expect(out).toMatch(/missing +TAVILY_API_KEY +needed for ai\.web-answer/);
    expect(out).toMatch(/ok +FDIC_API_KEY/);
    expect(out).toMatch(/missing +FACILITATOR_URL/);
    expect(out).toMatch(/ok +\d+ packages +.*\bopenai\b/);
  });

  it("warns of what this environment would sell although its source forbids it", async () => {
    type Finding = { name: string; state: string; detail: string };
    const warned = async (env: Record<string, string>) => {
      const { code, out } = await coinslot(["doctor", "--json"], { env });
      const { findings } = JSON.parse(out) as { findings: Finding[] };
      expect(code).toBe(0);
      return new Map(findings.filter(({ state }) => state === "warning").map(({ name, detail }) => [name, detail]));
    };
    const keyless = await warned({});
    expect([...keyless.keys()]).toEqual(expect.arrayContaining(["CoinGecko", "GeckoTerminal", "Coinbase Exchange"]));
    expect([...keyless.keys()]).not.toContain("Finnhub");
    expect([...keyless.keys()]).not.toContain("OpenSky Network");
    const chosen = await warned({ FINNHUB_API_KEY: "x", NASDAQ_FALLBACK: "off", AIRCRAFT_SOURCE: "opensky-csv" });
    expect(chosen.get("Finnhub")).toMatch(/calendar\.earnings.*country\.financials.*agreement.*https:/);
    expect(chosen.get("OpenSky Network")).toMatch(/aircraft\.lookup.*licence/);
    expect([...chosen.keys()]).not.toContain("Nasdaq");
  });

  it("fails where what is set does not work", async () => {
    const env = { TREASURY_EVM: "0x12", FACILITATOR_URL: "http://127.0.0.1:9", REDIS_URL: "redis://127.0.0.1:9" };
    const { code, out } = await coinslot(["doctor", "--json"], { env });
    const { findings } = JSON.parse(out) as { findings: { name: string; state: string }[] };
    const broken = findings.filter(({ state }) => state === "broken").map(({ name }) => name);
    expect([code, broken]).toEqual([1, ["eip155:8453", "FACILITATOR_URL", "REDIS_URL"]]);
  });
});

it("mcp serves a model's client over standard input and output", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp", "--tools", "convert"] });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["search_capabilities", "convert_unit"]));
    const { content } = await client.callTool({
      name: "convert_unit",
      arguments: { value: 150, from: "lb", to: "kg" },
    });
    expect(JSON.stringify(content)).toContain("68.0388555");
  } finally {
    await client.close();
  }
});
