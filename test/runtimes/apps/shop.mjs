// What every runtime here serves: everything, paid by the environment's treasury.
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";

const { TREASURY_EVM, FACILITATOR_URL } = process.env;

export const handle = createHandler({
  capabilities,
  payment: { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } },
});
