/** The official facilitator and buyer on a Solana cluster of our own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { x402Facilitator } from "@x402/core/facilitator";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { toFacilitatorSvmSigner } from "@x402/svm";
import { ExactSvmScheme as ExactSvmBuyer } from "@x402/svm/exact/client";
import { ExactSvmScheme } from "@x402/svm/exact/facilitator";
import { SOLANA } from "./solana.js";
import type { SolanaChain } from "./solana-chain.js";

interface Body {
  paymentPayload: PaymentPayload;
  paymentRequirements: PaymentRequirements;
}

const signerOf = (byte: number) => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));

/** `lose` makes its nth next answer to /settle get lost after it has settled. */
export async function startSolanaFacilitator(chain: SolanaChain) {
  const signer = await signerOf(2);
  chain.airdrop(signer.address);
  const scheme = new ExactSvmScheme(toFacilitatorSvmSigner(signer, { defaultRpcUrl: chain.rpcUrl }));
  const facilitator = new x402Facilitator().register(SOLANA, scheme);
  let countdown = 0;

  const routes: Record<string, (body: Body) => unknown> = {
    "/supported": () => facilitator.getSupported(),
    "/verify": ({ paymentPayload, paymentRequirements }) => facilitator.verify(paymentPayload, paymentRequirements),
    "/settle": ({ paymentPayload, paymentRequirements }) => facilitator.settle(paymentPayload, paymentRequirements),
  };
  const server = createServer(async (request, response) => {
    const route = routes[request.url ?? ""];
    const body = request.method === "POST" ? await json(request) : {};
    const answer = route ? await route(body as Body) : {};
    if (request.url === "/settle" && countdown > 0 && --countdown === 0) {
      response.destroy();
      return;
    }
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(nth = 1) {
      countdown = nth;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A buyer that answers a 402 by signing. */
export async function createSolanaBuyer(chain: SolanaChain, fetch: typeof globalThis.fetch) {
  const signer = await signerOf(1);
  const scheme = new ExactSvmBuyer(signer, { rpcUrl: chain.rpcUrl });
  return {
    address: signer.address,
    scheme,
    fetch: wrapFetchWithPayment(fetch, new x402Client().register(SOLANA, scheme)),
  };
}
