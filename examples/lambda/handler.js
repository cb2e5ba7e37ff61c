// AWS Lambda: one function behind a function URL, an API Gateway or a load balancer, whose settings are its environment.
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { lambda } from "coinslot/lambda";

const { TREASURY_EVM, FACILITATOR_URL = "https://x402.org/facilitator" } = process.env;
// A function that cannot be paid must not be deployed: this fails its first start, with these words in the log.
if (!TREASURY_EVM) throw new Error("Set the function's variable TREASURY_EVM to the address that is to be paid.");

const handle = createHandler({
  capabilities,
  payment: {
    // Base Sepolia, for trying out; eip155:8453 is Base itself, and needs a facilitator that serves it.
    treasury: { "eip155:84532": TREASURY_EVM },
    facilitator: { url: FACILITATOR_URL },
  },
  // Instances share nothing. Give them a store of "coinslot/stores/redis" or "coinslot/stores/postgres", or each one
  // counts free trials for itself.
});

export const handler = lambda(handle);
