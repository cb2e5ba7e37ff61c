// An x402 facilitator for a local chain: the official classes behind three HTTP routes.
// It judges signed payments, and puts them on the chain from an account of its own, which pays the gas.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { oneAtATime } from "./one-at-a-time.js";

/**
 * Serves GET /supported, POST /verify and POST /settle on 127.0.0.1.
 * @param {object} options
 * @param {import("./chain.js").Chain} options.chain
 * @param {number} [options.port] 0 takes a free one
 * @param {number} [options.confirmationTimeoutMs] how long a settlement waits for its block before it is "pending"
 */
export async function startFacilitator({ chain, port = 0, confirmationTimeoutMs = 30_000 }) {
  const signer = await createSigner(chain, confirmationTimeoutMs);
  const facilitator = new x402Facilitator().register(chain.network, new ExactEvmScheme(signer));

  /** @type {Record<string, (body: any) => unknown>} */
  const routes = {
    "GET /supported": () => facilitator.getSupported(),
    "POST /verify": (body) => facilitator.verify(body.paymentPayload, body.paymentRequirements),
    "POST /settle": (body) => facilitator.settle(body.paymentPayload, body.paymentRequirements),
  };

  const server = createServer(async (request, response) => {
    const answer = (/** @type {number} */ status, /** @type {unknown} */ body) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      const route = routes[`${request.method} ${request.url}`];
      if (!route) return answer(404, { errorMessage: "There is /supported, /verify and /settle." });
      answer(200, await route(request.method === "POST" ? await json(request) : undefined));
    } catch (error) {
      answer(400, { errorMessage: error instanceof Error ? error.message : String(error) });
    }
  });

  return { url: await listen(server, port), stop: () => close(server) };
}

/**
 * A new account with ether for gas, which reads and writes the chain.
 * @param {import("./chain.js").Chain} local
 * @param {number} confirmationTimeoutMs
 */
async function createSigner({ chain, client, rpcUrl }, confirmationTimeoutMs) {
  const account = privateKeyToAccount(generatePrivateKey());
  await client.setBalance({ address: account.address, value: parseEther("1000") });
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });
  const inTurn = oneAtATime();

  return toFacilitatorEvmSigner(
    {
      address: account.address,
      readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
      verifyTypedData: (args) => client.verifyTypedData(/** @type {any} */ (args)),
      getCode: (args) => client.getCode(args),
      waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
      writeContract: (args) => inTurn(() => wallet.writeContract(/** @type {any} */ (args))),
      sendTransaction: (args) => inTurn(() => wallet.sendTransaction(args)),
    },
    { confirmationTimeoutMs },
  );
}

/**
 * @param {import("node:http").Server} server
 * @param {number} port
 * @returns {Promise<string>} its URL
 */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = /** @type {import("node:net").AddressInfo} */ (server.address());
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/**
 * @param {import("node:http").Server} server
 * @returns {Promise<void>}
 */
function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
