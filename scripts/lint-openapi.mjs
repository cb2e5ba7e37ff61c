/** Lints the OpenAPI document of a service that sells everything, as redocly and spectral judge it. Run after the build. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { capabilities } from "../dist/capabilities/index.js";
import { createHandler } from "../dist/index.js";

const run = promisify(execFile);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const handle = createHandler({
  capabilities,
  payment: {
    treasury: { base: "0x1111111111111111111111111111111111111111" },
    facilitator: { url: "https://facilitator.example" },
    rpc: false,
  },
  accounts: { keys: true },
  brand: {
    name: "Acme",
    slug: "acme",
    baseUrl: "https://api.acme.example",
    contact: { name: "Acme", url: "https://acme.example", email: "help@acme.example" },
  },
  logger: silent,
});

const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
/** Standard output of a linter, which fails where it finds errors. */
async function lint(file, ...args) {
  const options = { env: environment, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [`node_modules/${file}`, ...args], options).catch((error) => {
    if (typeof error.stdout === "string" && error.stdout !== "") return error;
    throw error;
  });
  return JSON.parse(stdout.slice(stdout.search(/[[{]/)));
}

const folder = await mkdtemp(join(tmpdir(), "coinslot-openapi-"));
try {
  const document = join(folder, "openapi.json");
  const rules = join(folder, "rules.json");
  await writeFile(document, JSON.stringify(handle.openapi({ all: true })));
  await writeFile(rules, JSON.stringify({ extends: ["spectral:oas"] }));
  const { problems } = await lint("@redocly/cli/bin/cli.js", "lint", document, "--format=json");
  const results = await lint(
    "@stoplight/spectral-cli/dist/index.js",
    ...["lint", document, "--ruleset", rules, "--format", "json", "--quiet"],
  );
  const errors = [
    ...problems
      .filter(({ severity }) => severity === "error")
      .map(({ message, location }) => ["redocly", message, location?.[0]?.pointer]),
    ...results
      .filter(({ severity }) => severity === 0)
      .map(({ message, path }) => ["spectral", message, path.join("/")]),
  ];
  for (const [linter, message, place] of errors) console.error(`${linter}: ${message} (${place})`);
  if (errors.length > 0) process.exitCode = 1;
  else console.log("The OpenAPI document: redocly and spectral find no error.");
} finally {
  await rm(folder, { recursive: true });
  await handle.close();
}
