// app/api/[...path]/route.ts: Next's own types judge these exports while it builds.
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import { next } from "coinslot/next";

const { TREASURY_EVM = "", FACILITATOR_URL = "" } = process.env;

const handle = createHandler({
  capabilities,
  payment: { treasury: { "eip155:84532": TREASURY_EVM }, facilitator: { url: FACILITATOR_URL } },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = next(handle, { trustProxyHops: 1 });
