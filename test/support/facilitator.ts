/**
 * A facilitator with a chain behind it, served through an injected fetch: it judges what it is sent, moves money
 * once per authorization, and can be told to misbehave on its next calls in the ways that real ones do.
 */

export type Fault =
  /** Behaves. */
  | "none"
  | "refuse"
  /** Finds the payer without money before it sends anything. */
  | "refuse-poor"
  | "status500"
  | "status429"
  | "html"
  | "empty"
  | "drop"
  | "lie-yes"
  /** The rest settle for real, and then the answer is lost or wrong. */
  | "drop-after"
  | "status500-after"
  | "refuse-after"
  | "pending-after"
  | "no-transaction"
  | "other-payer"
  | "other-network";

interface Authorization {
  from: string;
  to: string;
  value: string;
  validBefore: string;
  nonce: string;
}

interface Request402 {
  paymentPayload: { accepted: Record<string, unknown>; payload: { authorization: Authorization } };
  paymentRequirements: { amount: string; asset: string; network: string; payTo: string };
}

export const FACILITATOR_URL = "https://facilitator.test";

export interface FakeFacilitatorOptions {
  /** The chain's clock, in epoch seconds. Unset, no authorization expires there. */
  chainSeconds?: () => number;
}

export function fakeFacilitator({ chainSeconds }: FakeFacilitatorOptions = {}) {
  const faults: { verify: Fault[]; settle: Fault[] } = { verify: [], settle: [] };
  const calls: { path: "verify" | "settle"; body: Request402 }[] = [];
  const used = new Set<string>();
  const balances = new Map<string, bigint>();
  /** Payers whose settlement was refused for want of tokens: the node tells the same. */
  const poor = new Set<string>();
  const settled: { from: string; to: string; value: bigint }[] = [];
  /** What a node of the chain shows, once `chainVisible`. */
  const events: { authorization: Authorization; transaction: string; kind: "used" | "cancelled" }[] = [];
  let chainVisible = false;
  let reads = 0;
  let nodeSeconds = chainSeconds ?? (() => 0);
  const trace: string[] = [];

  const keyOf = ({ from, nonce }: Authorization) => `${from}:${nonce}`.toLowerCase();
  const json = (body: unknown, status = 200) => Response.json(body, { status });

  function verify({ paymentPayload, paymentRequirements }: Request402): Response {
    const { authorization } = paymentPayload.payload;
    const payer = authorization.from;
    const no = (invalidReason: string) => json({ isValid: false, invalidReason, payer });
    if (used.has(keyOf(authorization))) return no("invalid_exact_evm_nonce_already_used");
    if (authorization.value !== paymentRequirements.amount) return no("invalid_exact_evm_value_mismatch");
    if (chainSeconds && Number(authorization.validBefore) < chainSeconds() + 6)
      return no("invalid_exact_evm_payload_authorization_valid_before");
    const balance = balances.get(payer.toLowerCase());
    if (balance !== undefined && balance < BigInt(authorization.value)) return no("insufficient_funds");
    return json({ isValid: true, payer });
  }

  function settle({ paymentPayload, paymentRequirements }: Request402): Response {
    const { authorization } = paymentPayload.payload;
    const payer = authorization.from;
    const { network } = paymentRequirements;
    const no = (errorReason: string) => json({ success: false, errorReason, transaction: "", network, payer });
    if (used.has(keyOf(authorization))) return no("invalid_exact_evm_nonce_already_used");
    const value = BigInt(authorization.value);
    const balance = balances.get(payer.toLowerCase());
    if (balance !== undefined) {
      if (balance < value) return no("insufficient_funds");
      balances.set(payer.toLowerCase(), balance - value);
    }
    used.add(keyOf(authorization));
    settled.push({ from: payer, to: authorization.to, value });
    events.push({ authorization, transaction: `0x${authorization.nonce.slice(2)}`, kind: "used" });
    return json({ success: true, transaction: `0x${authorization.nonce.slice(2)}`, network, payer });
  }

  async function misbehave(fault: Fault, path: "verify" | "settle", body: Request402): Promise<Response> {
    const { authorization } = body.paymentPayload.payload;
    const { network } = body.paymentRequirements;
    const payer = authorization.from;
    const yes = { success: true, transaction: "0xabc", network, payer };
    switch (fault) {
      case "refuse":
        return path === "verify"
          ? json({ isValid: false, invalidReason: "unexpected_state" })
          : json({ success: false, errorReason: "invalid_transaction_state", transaction: "", network });
      case "refuse-poor":
        poor.add(payer.toLowerCase());
        return json({ success: false, errorReason: "insufficient_funds", transaction: "", network });
      case "status500":
        return json({ error: "boom" }, 500);
      case "status429":
        return json({ error: "slow down" }, 429);
      case "html":
        return new Response("<html>oops</html>", { headers: { "content-type": "text/html" } });
      case "empty":
        return json({});
      case "drop":
        throw new TypeError("fetch failed");
      case "lie-yes":
        return json(path === "verify" ? { isValid: true } : yes);
      case "no-transaction":
        return json({ ...yes, transaction: "" });
      case "other-payer":
        return json({ ...yes, payer: "0x00000000000000000000000000000000000000ff" });
      case "other-network":
        return json({ ...yes, network: "eip155:1" });
    }
    settle(body);
    if (fault === "drop-after") throw new TypeError("fetch failed");
    if (fault === "status500-after") return json({ error: "boom" }, 500);
    if (fault === "refuse-after")
      return json({ success: false, errorReason: "invalid_transaction_state", transaction: "", network });
    return json({ success: false, errorReason: "settlement_pending", transaction: "0xdef", network });
  }

  const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
  const hashes = {
    used: "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
    cancelled: "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81",
    transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  };
  const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

  function node({ method, params }: { method: string; params: unknown[] }): Response {
    const result = (value: unknown) => json({ jsonrpc: "2.0", id: 1, result: value });
    if (method === "eth_getBlockByNumber")
      return result({ number: "0x10", hash: `0x${"10".repeat(32)}`, timestamp: `0x${nodeSeconds().toString(16)}` });
    if (method === "eth_call") {
      const { data } = params[0] as { data: string };
      if (data.startsWith("0x70a08231")) {
        const owner = `0x${data.slice(34)}`.toLowerCase();
        const balance = balances.get(owner) ?? (poor.has(owner) ? 0n : 10n ** 18n);
        return result(`0x${balance.toString(16).padStart(64, "0")}`);
      }
      const [payer, nonce] = [`0x${data.slice(34, 74)}`, `0x${data.slice(74)}`];
      return result(`0x${(used.has(`${payer}:${nonce}`.toLowerCase()) ? "1" : "0").padStart(64, "0")}`);
    }
    if (method === "eth_getLogs") {
      const [, payer, nonce] = (params[0] as { topics: string[] }).topics;
      const found = events.filter(
        (event) => topic(event.authorization.from) === payer && event.authorization.nonce === nonce,
      );
      return result(
        found.map(({ kind, transaction }) => ({
          address,
          topics: [hashes[kind], payer, nonce],
          data: "0x",
          logIndex: "0x3",
          transactionHash: transaction,
        })),
      );
    }
    const event = events.find(({ transaction }) => transaction === params[0]);
    if (!event) return result(null);
    const { from, to, value } = event.authorization;
    const data = `0x${BigInt(value).toString(16)}`;
    const log = { address, transactionHash: event.transaction };
    const mark = { ...log, topics: [hashes.used, topic(from), event.authorization.nonce], data: "0x", logIndex: "0x3" };
    const transfer = { ...log, topics: [hashes.transfer, topic(from), topic(to)], data, logIndex: "0x4" };
    return result({ status: "0x1", logs: [mark, transfer] });
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (chainVisible && url === "https://mainnet.base.org") {
      reads++;
      return node(JSON.parse(String(init?.body)));
    }
    if (!url.startsWith(FACILITATOR_URL)) throw new TypeError(`fetch failed: ${url}`);
    const path = url.slice(FACILITATOR_URL.length + 1);
    if (path !== "verify" && path !== "settle") return json({ kinds: [], extensions: [], signers: {} });
    const body = JSON.parse(String(init?.body)) as Request402;
    calls.push({ path, body });
    trace.push(path);
    // Real facilitators take their time, and so does everything that races with them.
    await new Promise((resolve) => setImmediate(resolve));
    const fault = faults[path].shift();
    if (fault && fault !== "none") return misbehave(fault, path, body);
    return path === "verify" ? verify(body) : settle(body);
  };

  return {
    fetch,
    faults,
    trace,
    settled,
    /** Unset, a payer has endless money. */
    fund: (payer: string, amount: bigint) => balances.set(payer.toLowerCase(), amount),
    asked: (path: "verify" | "settle") => calls.filter((call) => call.path === path).length,
    calls,
    /** By which clock the chain's blocks are made; unset, an unused authorization never expires there. */
    setClock(seconds: () => number) {
      if (!chainSeconds) nodeSeconds = seconds;
    },
    /** From now on the chain can be read, or not any more. */
    showChain(visible = true) {
      chainVisible = visible;
    },
    /** How often the chain was read. */
    reads: () => reads,
    /** The chain takes back the blocks of all that was settled so far. */
    reorganise() {
      for (const { authorization } of events.splice(0)) used.delete(keyOf(authorization));
      settled.splice(0);
    },
    /** Somebody else puts the authorization on chain, or its payer cancels it. */
    useUp(authorization: Authorization, kind: "used" | "cancelled") {
      used.add(keyOf(authorization));
      events.push({ authorization, transaction: `0x${"77".repeat(32)}`, kind });
    },
  };
}
export type FakeFacilitator = ReturnType<typeof fakeFacilitator>;
