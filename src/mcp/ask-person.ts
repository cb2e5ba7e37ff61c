/** The person behind a client is asked about a price: over the open connection, or by the client between two calls. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolRequest, ServerContext } from "@modelcontextprotocol/server";
import { type Asking, FORM, type Question } from "./agreement.js";
import { asFields } from "./era.js";
import type { StatelessLibrary } from "./library.js";
import { capabilitiesOf } from "./stateless-tasks.js";
import type { Served } from "./toolbox.js";

/** A person has as long as in the stateless era. */
const TIMEOUT_MS = 10 * 60_000;
const NAME = "approve";

/** Undefined for a client that asks nobody, and without a connection that would bring the answer. */
export function askNow(server: Server, signal: AbortSignal): Asking["ask"] {
  if (!server.getClientCapabilities()?.elicitation) return undefined;
  return async (message) => {
    const params = { message, requestedSchema: FORM as never };
    const { action, content } = await server.elicitInput(params, { signal, timeout: TIMEOUT_MS });
    return action === "accept" && content?.pay === true;
  };
}

/** The metadata that decide what is bought and who pays; others, such as those of progress and traces, are new in each call. */
const deciding = (meta: Record<string, unknown>) =>
  Object.entries(meta)
    .filter(
      ([name]) =>
        name !== "progressToken" && !/^(?:io\.modelcontextprotocol\/|traceparent$|tracestate$|baggage$)/.test(name),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));

type Asked = CallToolRequest["params"] & Pick<ServerContext, "mcpReq">;

/** Rejects with the protocol's error for a state that is not of this call. */
export async function askLater(
  { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode }: StatelessLibrary,
  { approvals, payer = "" }: Served,
  { mcpReq, name, arguments: args = {} }: Asked,
): Promise<Asking> {
  if (!approvals) return {};
  const call = JSON.stringify([payer, name, args, deciding(mcpReq._meta ?? {})]);
  const ask = async (message: string, usd: string): Promise<Question> => {
    const required = { elicitation: { form: {} } };
    if (!asFields(capabilitiesOf(mcpReq.envelope)).elicitation)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required });
    const params = { mode: "form", message, requestedSchema: FORM };
    const inputRequests = { [NAME]: { method: "elicitation/create", params } };
    return { resultType: "input_required", inputRequests, requestState: await approvals.ask(call, usd) };
  };
  const state = mcpReq.requestState();
  if (typeof state !== "string") return { ask };
  const agreedUsd = await approvals.used(state, call);
  if (agreedUsd === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  const answer = asFields(mcpReq.inputResponses?.[NAME]);
  // guard: MCP: only a person who agrees pays | = answer.action !== "cancel" | mcp/approval
  const isAgreed = answer.action === "accept" && asFields(answer.content).pay === true;
  return isAgreed ? { agreedUsd, ask } : { ask: async () => false };
}
