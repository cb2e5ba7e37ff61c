// npm start: every endpoint behind x402 on this machine, with a chain, a facilitator and a buyer of its own.
// With TREASURY_EVM or TREASURY_SVM, and FACILITATOR_URL, it takes real payments instead.
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { serve } from "coinslot/node";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startChain } from "./chain.js";
import { demonstrate } from "./demo.js";
import { startFacilitator } from "./facilitator.js";
import { bold, dim, fact, heading, line } from "./print.js";

const BASE = "eip155:8453";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
/** How long a stop waits for running calls, where nobody's money hangs on them. */
const DRAIN_MS = 3_000;

/** What has to be stopped, in the order of its start. @type {(() => Promise<unknown>)[]} */
const running = [];
let stopping = false;

process.on("SIGINT", stop).on("SIGTERM", stop);
try {
  const { TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL } = process.env;
  const port = readPort(process.env.PORT ?? "8402");
  if (TREASURY_EVM || TREASURY_SVM || FACILITATOR_URL) {
    await serveForReal(port, readSettings({ TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL }));
  } else {
    await serveLaboratory(port);
  }
} catch (error) {
  // What stops underneath the demonstration fails it; that is no news.
  if (!stopping) await fail(error);
}

/** @param {number} port */
async function serveLaboratory(port) {
  line(`${bold("Coinslot")}  pay-per-call endpoints, here with play money: no account, no internet`);
  const chain = await startChain();
  running.push(chain.stop);
  const facilitator = await startFacilitator({ chain });
  running.push(facilitator.stop);

  const treasury = privateKeyToAccount(generatePrivateKey()).address;
  const payment = {
    treasury: { [chain.network]: treasury },
    facilitator: { url: facilitator.url },
    // Where a settlement's outcome is unclear, this chain is asked and not the real one of the same name.
    rpc: { [chain.network]: chain.rpcUrl },
  };
  const url = await serveCapabilities(payment, { port, drainMs: DRAIN_MS });

  line();
  fact("server", `${url}  ${dim(`${capabilities.length} endpoints`)}`);
  fact("facilitator", `${facilitator.url}  ${dim("checks payments and puts them on chain")}`);
  fact("chain", `${chain.rpcUrl}  ${dim(`anvil, in memory; USDC at ${chain.usdc.address}`)}`);
  await demonstrate({ serverUrl: url, chain, treasury });
  invite(url);
}

/**
 * @param {number} port
 * @param {{ treasury: Record<string, string>, facilitatorUrl: string }} settings
 */
async function serveForReal(port, { treasury, facilitatorUrl }) {
  line(`${bold("Coinslot")}  taking real payments; no local chain is started`);
  const url = await serveCapabilities({ treasury, facilitator: { url: facilitatorUrl } }, { port });
  line();
  fact("server", `${url}  ${dim(`${capabilities.length} endpoints`)}`);
  fact("facilitator", facilitatorUrl);
  for (const [network, address] of Object.entries(treasury)) fact("treasury", `${address}  ${dim(network)}`);
  fact("state", "in memory: one process, forgotten when it stops");
  invite(url);
}

/**
 * @param {import("coinslot").PaymentOptions} payment
 * @param {{ port: number, drainMs?: number }} options
 * @returns {Promise<string>} the server's URL
 */
async function serveCapabilities(payment, options) {
  const handle = createHandler({ capabilities, payment });
  running.push(handle.close);
  const server = await serve(handle, options);
  running.push(server.close);
  return server.url;
}

/** @param {string} url */
function invite(url) {
  heading("Your turn");
  const show = (/** @type {string} */ about, /** @type {string} */ command) =>
    line(`\n  ${dim(`# ${about}`)}\n  ${command}`);
  show("a free trial", `curl -H 'X-SVC-Trial: 1' '${url}/api/calendar/holidays?country=US&year=2026&types=public'`);
  show("unpaid: 402 and the quote", `curl -i '${url}/api/convert/unit?value=150&from=lb&to=kg'`);
  show("everything there is, and its price", `curl '${url}/api/directory'`);
  show("the endpoint for a task", `curl '${url}/api/search/endpoints?q=public+holidays'`);
  show("OpenAPI 3.1", `curl '${url}/api/openapi.json'`);
  line(`\n  ${dim("Ctrl-C stops everything.")}`);
}

/** @param {string} text */
function readPort(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
  return port;
}

/** @param {{ TREASURY_EVM?: string, TREASURY_SVM?: string, FACILITATOR_URL?: string }} env */
function readSettings({ TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL }) {
  if (!FACILITATOR_URL)
    throw new Error("FACILITATOR_URL is missing: a treasury needs a facilitator to be paid through.");
  if (!TREASURY_EVM && !TREASURY_SVM)
    throw new Error("TREASURY_EVM or TREASURY_SVM is missing: the address on Base or Solana that is paid.");
  if (!URL.canParse(FACILITATOR_URL)) throw new Error(`FACILITATOR_URL is not a URL: "${FACILITATOR_URL}".`);
  return {
    treasury: { ...(TREASURY_EVM && { [BASE]: TREASURY_EVM }), ...(TREASURY_SVM && { [SOLANA]: TREASURY_SVM }) },
    facilitatorUrl: FACILITATOR_URL.replace(/\/$/, ""),
  };
}

/** @param {unknown} error */
async function fail(error) {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const message = error instanceof Error ? error.message : String(error);
  console.error(
    taken
      ? `Port ${process.env.PORT ?? 8402} is taken. Choose another one: PORT=8403 npm start`
      : `Cannot start: ${message}`,
  );
  await stopAll();
  process.exit(1);
}

/** Under npm a Ctrl-C arrives twice, from the terminal and from npm; one stop is enough. */
async function stop() {
  if (stopping) return;
  stopping = true;
  await stopAll();
  process.exit(0);
}

async function stopAll() {
  for (const close of running.reverse()) await close().catch(() => {});
}
