import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { printBar, printTable, times, whole } from "./measure.mjs";
import { TREASURY } from "./shops.mjs";
import { raceStarts } from "./start.mjs";

export const title =
  "A new Lambda function, bundled as the README says, with every capability: from nothing to the first quote";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entry = join(root, "examples/lambda/handler.js");

const event = {
  version: "2.0",
  routeKey: "$default",
  rawPath: "/api/convert/unit",
  rawQueryString: "value=1&from=kg&to=lb",
  headers: {
    host: "shop.lambda-url.us-east-1.on.aws",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "203.0.113.9",
    accept: "*/*",
  },
  requestContext: {
    domainName: "shop.lambda-url.us-east-1.on.aws",
    stage: "$default",
    http: { method: "GET", path: "/api/convert/unit", protocol: "HTTP/1.1", sourceIp: "203.0.113.9" },
  },
  isBase64Encoded: false,
};

const firstQuote = (bundle) => `
  process.env.TREASURY_EVM = "${TREASURY}";
  process.env.FACILITATOR_URL = "http://127.0.0.1:9";
  const { handler } = await import(${JSON.stringify(pathToFileURL(bundle))});
  const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 30_000 });
  if (statusCode !== 402) throw new Error("answered " + statusCode);
  process.exit();`;

/** What a bundler makes of it without being told anything. */
const inOneFile = (outfile) =>
  build({
    ...{ entryPoints: [entry], outfile, bundle: true, minify: true, platform: "node", format: "esm" },
    banner: {
      js: 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);',
    },
    loader: { ".node": "copy" },
    logLevel: "error",
  });

const bytesOf = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".mjs"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "coinslot-lambda-"));
  try {
    const [split, single] = [join(folder, "split"), join(folder, "single")];
    execFileSync(process.execPath, ["examples/lambda-bundle/build.js", entry, split], { cwd: root, stdio: "pipe" });
    await inOneFile(join(single, "index.mjs"));
    const program = (name, code) => {
      writeFileSync(join(folder, name), code);
      return [join(folder, name)];
    };
    const [first, inOne, node] = await raceStarts([
      program("split.mjs", firstQuote(join(split, "index.mjs"))),
      program("single.mjs", firstQuote(join(single, "index.mjs"))),
      program("empty.mjs", ""),
    ]);
    const row = (name, ms, bytes) => [name, `${ms.toFixed(0)} ms`, times(ms / node), bytes];
    printTable(
      ["processor time of the whole process, least of the runs", "", "x an empty module", "bytes of code"],
      [
        row("as in examples/lambda-bundle", first, whole(bytesOf(split))),
        row("the same in one file", inOne, whole(bytesOf(single))),
        row("an empty module", node, ""),
      ],
    );
    return [printBar("the first 402 beside an empty module", first / node, { atMost: 2 })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
