// Cloudflare Workers: the variables of the Worker are its environment (nodejs_compat, compatibility date 2025-04-01 or later).
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";

const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator" } = process.env;
// A Worker that cannot be paid must not be deployed: its upload fails with these words.
if (!TREASURY_EVM) throw new Error("Set the Worker's variable TREASURY_EVM to the address that is to be paid.");

const handle = createHandler({
  capabilities,
  payment: {
    // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
    treasury: { "eip155:84532": TREASURY_EVM },
    facilitator: { url: FACILITATOR_URL },
  },
  // Isolates share nothing. Give them a store of "coinslot/stores/redis" or "coinslot/stores/postgres", or each one
  // counts free trials for itself.
});

export default {
  /** @param {Request} request */
  fetch: (request) => handle(request, { clientAddress: request.headers.get("cf-connecting-ip") ?? undefined }),
  // Nothing runs between requests: a cron trigger finishes what was left open.
  scheduled: () => handle.tick(),
};
