/**
 * Tries the buyers of the field as they are shipped: installs each into a folder of its own, and lets it pay for one call on
 * a local chain, of a host with default options, of one that also takes channels, and of one whose body is of version 1.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { createHandler } from "coinslot";
import { convertUnit } from "coinslot/capabilities/convert";
import { serve } from "coinslot/node";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { BUYERS } from "./buyers.mjs";

const run = promisify(execFile);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, cache: { type: "string" }, verbose: { type: "boolean" } },
});
const PRICE = 1000n;

const chain = await startChain();
const official = await startFacilitator({ chain });
const treasury = privateKeyToAccount(generatePrivateKey()).address;
const post = async (path, ...[paymentPayload, paymentRequirements]) => {
  const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements });
  const response = await fetch(`${official.url}/${path}`, { method: "POST", body });
  return response.json();
};
/** The official one, which also lists channels, so that they are offered; no buyer here opens one. */
const facilitator = {
  async supported() {
    const { kinds, ...others } = await (await fetch(`${official.url}/supported`)).json();
    const channels = { x402Version: 2, scheme: "batch-settlement", network: chain.network };
    return { ...others, kinds: [...kinds, channels] };
  },
  verify: (...payment) => post("verify", ...payment),
  settle: (...payment) => post("settle", ...payment),
};
const payment = { treasury: { [chain.network]: treasury }, facilitator, rpc: { [chain.network]: chain.rpcUrl } };
const signer = privateKeyToAccount(generatePrivateKey());
const channels = { schemes: ["exact", "batch-settlement"], channels: { signer, allowMemoryStore: true } };

/** The hosts, one a column of the table. */
const HOSTS = {
  default: {},
  "with channels": channels,
  "channels if asked": { ...channels, channels: { ...channels.channels, offer: "asked" } },
  "v1 body": { v1Body: true },
  "MPP by permits": { mpp: { permit2: { [chain.network]: privateKeyToAccount(generatePrivateKey()) } } },
};
const hosts = new Map();
for (const [name, more] of Object.entries(HOSTS)) {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const options = { capabilities: [convertUnit], payment: { ...payment, ...more }, trial: false, logger };
  const handle = createHandler(options);
  hosts.set(name, { handle, server: await serve(handle, { port: 0 }) });
}

/** Undefined where it was paid for and delivered, else what went wrong. */
async function failureOf({ file }, folder, server) {
  const key = generatePrivateKey();
  await chain.mint(privateKeyToAccount(key).address, 1_000_000n);
  const before = await chain.balanceOf(treasury);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, NETWORK: chain.network, RPC_URL: chain.rpcUrl, BUYER_KEY: key },
    PAID_URL: `${server.url}/api/convert/unit?value=1&from=kg&to=lb`,
    MCP_URL: `${server.url}/api/mcp`,
  };
  const args = ["--no-warnings", "--import", "./local-nodes.mjs", file];
  const ended = await run(process.execPath, args, { cwd: folder, env, timeout: 60_000 }).catch((error) => error);
  const paid = (await chain.balanceOf(treasury)) - before;
  if (values.verbose) console.log(ended.stdout, ended.stderr);
  if (ended.stdout?.includes("2.2046") && paid === PRICE) return undefined;
  const said = `${ended.stderr || ended.stdout || ended.message}`;
  const [reason = "nothing was said"] = said.match(/^.*(?:Error|error|Cannot|Failed).*$/m) ?? [said.slice(0, 200)];
  return `${paid > 0n ? "PAID, and got nothing: " : ""}${reason.trim().slice(0, 140)}`;
}

async function install({ name, file, install: packages }, root) {
  const folder = join(root, file.replace(/\.mjs$/, ""));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"];
  await run("npm", ["install", ...packages, ...flags], { cwd: folder, timeout: 600_000, maxBuffer: 2 ** 26 });
  await Promise.all([
    copyFile(here(`clients/${file}`), join(folder, file)),
    copyFile(here("local-nodes.mjs"), join(folder, "local-nodes.mjs")),
    writeFile(join(folder, "abi.json"), JSON.stringify(chain.usdc.abi)),
  ]);
  const manifest = await readFile(join(folder, "node_modules", packages[0], "package.json"), "utf8");
  return { folder, label: `${name} ${JSON.parse(manifest).version}` };
}

const root = values.cache ?? (await mkdtemp(join(tmpdir(), "coinslot-buyers-")));
const chosen = BUYERS.filter(({ name }) => !values.only || values.only.some((text) => name.includes(text)));
const rows = {};
const failures = [];
try {
  for (const buyer of chosen) {
    const { folder, label } = await install(buyer, root).catch((error) => ({
      label: `${buyer.name}: ${error.message}`,
    }));
    rows[label] = {};
    if (!folder) continue;
    for (const [host, { server }] of hosts) {
      const failure = await failureOf(buyer, folder, server);
      rows[label][host] = failure === undefined ? "paid" : "no";
      if (failure) failures.push(`${label}, ${host}: ${failure}`);
    }
    console.log(label, rows[label]);
    if (!values.cache) await rm(folder, { recursive: true });
  }
  console.table(rows);
  console.log(failures.join("\n"));
} finally {
  for (const { handle, server } of hosts.values()) {
    await server.close();
    await handle.close();
  }
  await official.stop();
  await chain.stop();
  if (!values.cache) await rm(root, { recursive: true, force: true });
}
