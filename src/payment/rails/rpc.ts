/** JSON-RPC of a chain, for looking up payments. Reads only. */
import { within } from "../../lib/abort.js";
import { createSend } from "../../lib/http/http-send.js";

const TIMEOUT_MS = 3000;
/** Room for a page of 200 transactions on Solana, each with the longest memo, fully escaped. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Rejects without a result, for any reason. */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>;

export function createRpc(url: string, fetch?: typeof globalThis.fetch): Rpc {
  const send = createSend(fetch);
  const ask = async (method: string, params: unknown[], signal: AbortSignal) => {
    const { text } = await send(url, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      ...{ signal, maxBytes: MAX_ANSWER_BYTES },
    });
    const answer = JSON.parse(text) as { result?: unknown };
    if (typeof answer !== "object" || answer === null || !("result" in answer))
      throw new Error(`${method} gave no result`);
    return answer.result;
  };
  return (method, params) => within(TIMEOUT_MS, (signal) => ask(method, params, signal));
}
