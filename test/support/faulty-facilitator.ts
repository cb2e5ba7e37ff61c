/**
 * The local chain's facilitator behind a proxy that can be told to misbehave on its next call. Where the answer is lost
 * or wrong "after", the payment has really been settled on chain.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Chain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";

type Misbehaviour = "refuse" | "status500" | "status429" | "garbage" | "drop" | "hang";

export interface Fault {
  on: "verify" | "settle";
  /**
   * `lie`: success is claimed and nothing was moved. `pending`: broadcast, but in no block until the answer is out.
   * `-after` kinds are for settlements.
   */
  kind: Misbehaviour | `${Misbehaviour}-after` | "lie" | "pending";
  /** How many such calls in a row; default 1. */
  times?: number;
}

interface Body {
  paymentPayload: { payload: { authorization: { from: string } } };
  paymentRequirements: { network: string };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

// Only a settlement that is kept out of its block by the `pending` fault ever waits this long.
const CONFIRMATION_TIMEOUT_MS = 300;

export async function startFaultyFacilitator({ chain, port = 0 }: { chain: Chain; port?: number }) {
  const real = await startFacilitator({ chain, confirmationTimeoutMs: CONFIRMATION_TIMEOUT_MS });
  const faults: { next: Fault | undefined } = { next: undefined };
  const calls: string[] = [];

  const forward = ({ request, body }: Exchange): Promise<Response> => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body };
    return fetch(`${real.url}${request.url}`, request.method === "POST" ? post : {});
  };

  const server = createServer(async (request, response) => {
    const exchange: Exchange = { request, response, body: await text(request) };
    const path = request.url?.slice(1) ?? "";
    calls.push(path);
    const fault = take(faults, path);
    try {
      if (!fault) return await relay(await forward(exchange), response);
      if (fault.kind === "pending")
        return await relay(await settleOutsideBlock(chain, () => forward(exchange)), response);
      if (fault.kind === "lie") return lie(exchange);
      if (fault.kind.endsWith("-after")) await (await forward(exchange)).text();
      misbehave(fault.kind.replace("-after", "") as Misbehaviour, exchange);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    /** The paths that were asked for, in order: `["supported", "verify", "settle"]`. */
    calls,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await real.stop();
    },
  };
}

/** The fault that is meant for this call, which counts it. */
function take(faults: { next: Fault | undefined }, path: string): Fault | undefined {
  const fault = faults.next;
  if (fault?.on !== path) return undefined;
  const times = (fault.times ?? 1) - 1;
  faults.next = times > 0 ? { ...fault, times } : undefined;
  return fault;
}

async function relay(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}

/** No block takes the transaction up while the facilitator waits; the next block does, once it has answered. */
async function settleOutsideBlock({ client }: Chain, settle: () => Promise<Response>): Promise<Response> {
  await client.setAutomine(false);
  try {
    return await settle();
  } finally {
    await client.setAutomine(true);
    await client.mine({ blocks: 1 });
  }
}

function misbehave(kind: Misbehaviour, exchange: Exchange): void {
  const { response } = exchange;
  switch (kind) {
    case "refuse":
      refuse(exchange);
      return;
    case "status500":
      response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
      return;
    case "status429":
      response.writeHead(429, { "content-type": "application/json", "retry-after": "1" }).end('{"error":"slow down"}');
      return;
    case "garbage":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");
      return;
    case "drop":
      response.destroy();
      return;
    case "hang":
      // No answer. The connection ends with the client's patience, or with the server.
      return;
  }
}

function refuse({ request, response, body }: Exchange): void {
  const { paymentPayload, paymentRequirements } = JSON.parse(body) as Body;
  const payer = paymentPayload.payload.authorization.from;
  const reason = "insufficient_funds";
  const answer =
    request.url === "/verify"
      ? { isValid: false, invalidReason: reason, payer }
      : { success: false, errorReason: reason, transaction: "", network: paymentRequirements.network, payer };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

function lie({ request, response, body }: Exchange): void {
  const { paymentPayload, paymentRequirements } = JSON.parse(body) as Body;
  const payer = paymentPayload.payload.authorization.from;
  const transaction = `0x${"ab".repeat(32)}`;
  const answer =
    request.url === "/verify"
      ? { isValid: true, payer }
      : { success: true, transaction, network: paymentRequirements.network, payer };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
