/** Asks the person behind an MCP client about a purchase, by elicitation. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { wrong } from "../lib/options/check.js";
import { has } from "../lib/options/kinds.js";

/** The purchase of a client, as its option `limits.ask` gets it. */
interface Purchase {
  seller: string;
  endpoint: string;
  usd: string;
  todayUsd: string;
  networks: string[];
  payTo: string[];
  signal?: AbortSignal;
}

const SCHEMA = {
  type: "object",
  properties: { pay: { type: "boolean", title: "Pay", description: "Whether to pay for this call" } },
  required: ["pay"],
} as const;

/**
 * A function for the option `limits.ask` of a client, whose calls an MCP server makes: the person behind the server's
 * client is asked. A client that cannot ask anybody refuses all that is above the bound.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl, pay, limits: { askAboveUsd: "0.50", ask: (purchase) => ask(purchase) } });
 * const server = createMcpServer(createHandler({ capabilities: resold([convertUnit], client), payment: false }));
 * const ask = askByElicitation(server);
 * ```
 */
export function askByElicitation(
  server: Pick<Server, "getClientCapabilities" | "elicitInput">,
): (purchase: Purchase) => Promise<boolean> {
  if (!has(server, ["elicitInput"])) throw wrong("askByElicitation: the first argument", "an MCP server", server);
  return async ({ endpoint, seller, usd, todayUsd, payTo, networks, signal }) => {
    // guard: client: a client that asks nobody pays nothing above the bound | gone | mcp/elicitation
    if (!server.getClientCapabilities()?.elicitation) return false;
    const message = `${endpoint} at ${seller} costs ${usd} USD, paid to ${payTo.join(" or ")} on ${networks.join(" or ")}; that makes ${todayUsd} USD today. Pay?`;
    const { action, content } = await server.elicitInput(
      { message, requestedSchema: SCHEMA as never },
      signal ? { signal } : {},
    );
    // guard: client: only a person who agrees pays | = action !== "cancel" | mcp/elicitation
    const isAgreed = action === "accept" && content?.pay === true;
    return isAgreed;
  };
}
