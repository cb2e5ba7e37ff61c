// Loaded before a buyer: what it asks any public node of the chain, the local chain answers. What thirdweb's client asks its
// maker about the token, and agentcash about its own money, is answered here. Other services, such as counts of use, may be
// away.
import { readFileSync } from "node:fs";

const ask = globalThis.fetch;
const { RPC_URL = "" } = process.env;

globalThis.fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input);
  if (hostname === "127.0.0.1") return ask(input, init);
  if (hostname === "contract.thirdweb.com") return new Response(readFileSync("abi.json"));
  const body = input instanceof Request ? await input.clone().text() : init?.body;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : String(body);
  if (hostname === "agentcash.dev")
    return Response.json({
      balance: text.includes("tempo") ? 0 : 1,
      network: "eip155:8453",
      paymentNetwork: "base",
      chainId: 8453,
    });
  const headers = { "content-type": "application/json" };
  if (text.includes('"eth_')) return ask(RPC_URL, { method: "POST", headers, body: text });
  return ask(input, init).catch(() => new Response("{}", { headers }));
};
