// npm start: every endpoint behind x402 on this machine, with a chain, a facilitator and a buyer of its own.
// With TREASURY_EVM or TREASURY_SVM, and FACILITATOR_URL, it takes real payments instead. With REDIS_URL or DATABASE_URL it
// keeps its state there.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { serve } from "coinslot/node";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startReceiver } from "../agent/receiver.js";
import { startChain } from "./chain.js";
import { demonstrate } from "./demo.js";
import { startFacilitator } from "./facilitator.js";
import { assertFree, readPort, takenPort } from "./port.js";
import { bold, dim, fact, heading, line } from "./print.js";
import { forPlay, openState } from "./store.js";
import { demonstrateWallets } from "./wallets-demo.js";

const BASE = "eip155:8453";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
/** How long a stop waits for running calls, where nobody's money hangs on them. */
const DRAIN_MS = 3_000;
/** What the buyer that is printed gets: 10 USDC. */
const PURSE = 10_000_000n;

/** What has to be stopped, in the order of its start. @type {(() => Promise<unknown>)[]} */
const running = [];
let stopping = false;

process.on("SIGINT", stop).on("SIGTERM", stop);
try {
  const { TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL, REDIS_URL, DATABASE_URL } = process.env;
  const port = readPort(process.env.PORT);
  await assertFree(port);
  const isReal = Boolean(TREASURY_EVM || TREASURY_SVM || FACILITATOR_URL);
  const state = await openState({ REDIS_URL, DATABASE_URL }).then((opened) => (isReal ? opened : forPlay(opened)));
  running.push(state.close);
  if (isReal) await serveForReal(port, state, readSettings({ TREASURY_EVM, TREASURY_SVM, FACILITATOR_URL }));
  else await serveLaboratory(port, state);
} catch (error) {
  // A part that stops fails the demonstration, which reports it already.
  if (!stopping) await fail(error);
}

/**
 * @param {number} port
 * @param {import("./store.js").State} state
 */
async function serveLaboratory(port, state) {
  line(`${bold("Coinslot")}  pay-per-call endpoints, here with play money: no account, no internet`);
  line(dim("Starting a chain of its own …"));
  const chain = await startChain();
  running.push(chain.stop);
  line(dim("Starting a facilitator on it …"));
  const facilitator = await startFacilitator({ chain });
  running.push(facilitator.stop);

  const treasury = privateKeyToAccount(generatePrivateKey()).address;
  const payment = {
    treasury: { [chain.network]: treasury },
    facilitator: { url: facilitator.url },
    // Where a settlement's outcome is unclear, this chain is asked and not the real one of the same name.
    rpc: { [chain.network]: chain.rpcUrl },
  };
  const receiver = await startReceiver();
  running.push(receiver.close);
  line(dim(`Mounting ${capabilities.length} endpoints …`));
  // Callbacks go to the public web alone, except to those that are listed here.
  const outbound = { allowHosts: [receiver.host] };
  const url = await serveCapabilities({ payment, outbound, ...state.options }, { port, drainMs: DRAIN_MS });

  showPage(url);
  fact("server", `${url}  ${dim(`${capabilities.length} endpoints`)}`);
  fact("facilitator", `${facilitator.url}  ${dim("checks payments and puts them on chain")}`);
  fact("chain", `${chain.rpcUrl}  ${dim(`anvil, in memory; USDC at ${chain.usdc.address}`)}`);
  fact("state", state.says);
  await demonstrate({ serverUrl: url, chain, treasury });
  await demonstrateWallets({ serverUrl: url, chain, receiver });
  const buyerKey = generatePrivateKey();
  await chain.mint(privateKeyToAccount(buyerKey).address, PURSE);
  invite(url, buyerKey);
}

/**
 * @param {number} port
 * @param {import("./store.js").State} state
 * @param {{ treasury: Record<string, string>, facilitatorUrl: string }} settings
 */
async function serveForReal(port, state, { treasury, facilitatorUrl }) {
  line(`${bold("Coinslot")}  taking real payments; no local chain is started`);
  const payment = { treasury, facilitator: { url: facilitatorUrl } };
  const url = await serveCapabilities({ payment, ...state.options }, { port });
  showPage(url);
  fact("server", `${url}  ${dim(`${capabilities.length} endpoints`)}`);
  fact("facilitator", facilitatorUrl);
  for (const [network, address] of Object.entries(treasury)) fact("treasury", `${address}  ${dim(network)}`);
  fact("state", state.says);
  invite(url);
}

/**
 * @param {Pick<import("coinslot").HandlerOptions, "payment" | "store" | "wallets" | "outbound">} options
 * @param {{ port: number, drainMs?: number }} place
 * @returns {Promise<string>} the server's URL
 */
async function serveCapabilities(options, place) {
  const handle = createHandler({ capabilities, ...options });
  running.push(handle.close);
  const server = await serve(handle, place);
  running.push(server.close);
  return server.url;
}

/**
 * The page to open comes before everything else.
 * @param {string} url
 */
function showPage(url) {
  heading(`Open ${url}/`);
}

/**
 * @param {string} url
 * @param {string} [buyerKey] a wallet with money on this chain
 */
function invite(url, buyerKey) {
  heading("Your turn");
  const show = (/** @type {string} */ about, /** @type {string} */ command) =>
    line(`\n  ${dim(`# ${about}`)}\n  ${command}`);
  show("a free trial", `curl -H 'X-SVC-Trial: 1' '${url}/api/calendar/holidays?country=US&year=2026&types=public'`);
  if (buyerKey) {
    const program = relative(process.cwd(), fileURLToPath(new URL("../paying-client/app.js", import.meta.url)));
    show("a paid call, by a wallet with 10 USDC on this chain", `export WALLET_KEY=${buyerKey}`);
    line(`  BASE_URL=${url} node ${program}`);
  }
  show("unpaid: 402 and the quote", `curl -i '${url}/api/convert/unit?value=150&from=lb&to=kg'`);
  show("everything there is, and its price", `curl '${url}/api/directory'`);
  show("the endpoint for a task", `curl '${url}/api/search/endpoints?q=public+holidays'`);
  show("OpenAPI 3.1", `curl '${url}/api/openapi.json'`);
  line(`\n  ${dim("Ctrl-C stops everything.")}`);
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
  const message = error instanceof Error ? error.message : String(error);
  console.error(takenPort(error) ?? `Cannot start: ${message}`);
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
