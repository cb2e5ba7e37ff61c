/** A facilitator that says yes: here the question is what runs, not who pays. */
import { createServer } from "node:http";

export async function startFacilitator() {
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify(answer(req.url, body === "" ? {} : JSON.parse(body))));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

let transactions = 0;

function answer(path, { paymentPayload, paymentRequirements }) {
  if (path.endsWith("/supported")) return { kinds: [], extensions: [], signers: {} };
  const payer = paymentPayload.payload.authorization.from;
  if (path.endsWith("/verify")) return { isValid: true, payer };
  const transaction = `0x${String(++transactions).padStart(64, "0")}`;
  return { success: true, transaction, network: paymentRequirements.network, payer };
}
