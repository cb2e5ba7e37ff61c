// Cloudflare Workers: wrangler.jsonc beside this file has the compatibility date, and the variables of the Worker are its environment.
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { createDurableObjectStore } from "coinslot/stores/durable-object";

// The object that keeps payments and trials for all isolates.
export { CoinslotStore } from "coinslot/stores/durable-object";

const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator" } = process.env;
// A Worker that cannot be paid must not be deployed: its upload fails with these words.
if (!TREASURY_EVM) throw new Error("Set the Worker's variable TREASURY_EVM to the address that is to be paid.");

let handle;
/** Made by the first request, which brings the bindings. */
const service = (env) => {
  handle ??= createHandler({
    capabilities,
    payment: {
      // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
      treasury: { "eip155:84532": TREASURY_EVM },
      facilitator: { url: FACILITATOR_URL },
    },
    store: createDurableObjectStore(env.COINSLOT),
  });
  return handle;
};

export default {
  /** @param {Request} request */
  fetch: (request, env) =>
    service(env)(request, { clientAddress: request.headers.get("cf-connecting-ip") ?? undefined }),
  // Nothing runs between requests: a cron trigger finishes what was left open.
  scheduled: (_event, env) => service(env).tick(),
};
