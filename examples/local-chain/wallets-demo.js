// State that belongs to a wallet: an agent that keeps some, and another that finds nothing of it.
import { workShift } from "../agent/app.js";
import { createBuyer } from "./buyer.js";
import { heading, step } from "./print.js";

const PURSE = 1_000_000n;

/**
 * @param {object} laboratory
 * @param {string} laboratory.serverUrl
 * @param {import("./chain.js").Chain} laboratory.chain
 * @param {import("../agent/receiver.js").Receiver} laboratory.receiver
 */
export async function demonstrateWallets({ serverUrl, chain, receiver }) {
  heading("3  An agent that remembers, takes a lock, works off a queue and is called back, each call paid");
  const [agent, stranger] = [createBuyer(), createBuyer()];
  await chain.mint(agent.address, PURSE);
  await chain.mint(stranger.address, PURSE);
  await workShift({ baseUrl: serverUrl, fetch: agent.fetch, receiver, say: step });
  const response = await stranger.fetch(`${serverUrl}/api/store/kv-get`, {
    method: "POST",
    body: JSON.stringify({ ns: "agent", key: "shifts" }),
  });
  step(`Another wallet asks for what the agent keeps: ${response.status}, and pays nothing for it.`);
}
