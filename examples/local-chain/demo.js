// One free call and one paid call against a running server, told as they happen. The buyer is the official client;
// what it exchanges with the server is read off the wire.
import { STATUS_CODES } from "node:http";
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
} from "@x402/core/http";
import { formatUnits } from "viem";
import { createBuyer } from "./buyer.js";
import { bold, dim, fact, green, heading, line, step, yellow } from "./print.js";

const CALL = "/api/convert/unit?value=150&from=lb&to=kg";
const TRIAL_HEADER = "X-SVC-Trial";
const PURSE = 10_000_000n;

/** @typedef {{ request: Request, response: Response }} Exchange */

/**
 * @param {object} laboratory
 * @param {string} laboratory.serverUrl
 * @param {import("./chain.js").Chain} laboratory.chain
 * @param {import("viem").Address} laboratory.treasury
 */
export async function demonstrate({ serverUrl, chain, treasury }) {
  heading("1  A free trial: one call per endpoint and hour");
  await trial(`${serverUrl}${CALL}`);

  heading("2  The same call, paid");
  /** @type {Exchange[]} */
  const wire = [];
  const buyer = createBuyer({ fetch: recordingFetch(wire) });
  await chain.mint(buyer.address, PURSE);
  const before = await balances(chain, buyer.address, treasury);
  const response = await buyer.fetch(`${serverUrl}${CALL}`);
  const [unpaid, paid] = wire;
  if (!unpaid || !paid || !response.ok) throw await unexpected(response);

  showQuote(unpaid);
  showSignature(paid);
  await showReceipt(paid, chain);
  showBalances(before, await balances(chain, buyer.address, treasury));
}

/** @param {string} url */
async function trial(url) {
  showRequest("GET", url, `${TRIAL_HEADER}: 1`);
  const response = await fetch(url, { headers: { [TRIAL_HEADER]: "1" } });
  if (!response.ok) throw await unexpected(response);
  showAnswer(response, yellow);
  fact("answer", await firstItem(response));
}

/** @param {Exchange} exchange the 402 */
function showQuote({ request, response }) {
  showRequest("GET", request.url);
  showAnswer(response, yellow);
  const { accepts } = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
  const [offer] = accepts;
  if (!offer) throw new Error("The server's 402 made no offer.");
  fact("price", `${usdc(offer.amount)} USDC`);
  fact("network", `${offer.network} ${dim("(here: the chain on this machine)")}`);
  fact("asset", `${offer.asset} ${dim("USDC")}`);
  fact("payTo", `${offer.payTo} ${dim("the treasury")}`);
}

/** @param {Exchange} exchange the request with the payment */
function showSignature({ request }) {
  const { payload } = decodePaymentSignatureHeader(request.headers.get("payment-signature") ?? "");
  const { from, to, value, validBefore, nonce } = /** @type {Record<string, string>} */ (payload.authorization);
  step("The buyer signs. No transaction, no gas: an authorization that anybody may carry to the token.");
  fact("from", `${from} ${dim("the buyer")}`);
  fact("to", `${to} ${dim("nobody else can be paid with it")}`);
  fact("amount", `${usdc(value)} USDC ${dim("exactly")}`);
  fact("until", `${new Date(Number(validBefore) * 1000).toISOString()} ${dim("then it is void")}`);
  fact("nonce", `${nonce?.slice(0, 18)}… ${dim("good for one payment")}`);
}

/**
 * @param {Exchange} exchange
 * @param {import("./chain.js").Chain} chain
 */
async function showReceipt({ request, response }, chain) {
  showRequest("GET", request.url, "PAYMENT-SIGNATURE: …");
  showAnswer(response, green);
  const receipt = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
  const hash = /** @type {import("viem").Hash} */ (receipt.transaction);
  const { blockNumber } = await chain.client.getTransactionReceipt({ hash });
  fact("answer", await firstItem(response));
  fact("transaction", hash);
  fact("block", `${blockNumber} ${dim("settled by the facilitator, after the work was done")}`);
}

/** @typedef {{ buyer: bigint, treasury: bigint }} Balances */

/**
 * @param {import("./chain.js").Chain} chain
 * @param {import("viem").Address} buyer
 * @param {import("viem").Address} treasury
 * @returns {Promise<Balances>}
 */
async function balances(chain, buyer, treasury) {
  return { buyer: await chain.balanceOf(buyer), treasury: await chain.balanceOf(treasury) };
}

/**
 * @param {Balances} before
 * @param {Balances} after
 */
function showBalances(before, after) {
  const row = (/** @type {keyof Balances} */ who) =>
    fact(who, `${usdc(before[who]).padStart(10)}  →  ${usdc(after[who]).padStart(10)}`);
  step("Balances in USDC, before and after");
  row("buyer");
  row("treasury");
}

/**
 * The global fetch, with a copy of each exchange kept.
 * @param {Exchange[]} wire
 * @returns {typeof globalThis.fetch}
 */
function recordingFetch(wire) {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request.clone());
    wire.push({ request, response: response.clone() });
    return response;
  };
}

/**
 * @param {string} method
 * @param {string} url
 * @param {string} [header]
 */
function showRequest(method, url, header) {
  const { pathname, search } = new URL(url);
  step(`${bold(method)} ${pathname}${search}${header ? `   ${dim(header)}` : ""}`);
}

/**
 * @param {Response} response
 * @param {(text: string) => string} colour
 */
function showAnswer(response, colour) {
  line(`  ${colour(`${response.status} ${STATUS_CODES[response.status]}`)}`);
}

/** @param {Response} response */
async function firstItem(response) {
  const { data } = /** @type {{ data: { items: unknown[] } }} */ (await response.json());
  return JSON.stringify(data.items[0]);
}

/** @param {Response} response */
async function unexpected(response) {
  const reason = response.headers.get("payment-required") ? "it asked for a payment" : await response.text();
  return new Error(`The server answered ${response.status} where it should have worked: ${reason}`);
}

/**
 * "0.001000" for 1000.
 * @param {bigint | string | undefined} atomic
 */
function usdc(atomic) {
  const [whole, fraction = ""] = formatUnits(BigInt(atomic ?? 0), 6).split(".");
  return `${whole}.${fraction.padEnd(6, "0")}`;
}
