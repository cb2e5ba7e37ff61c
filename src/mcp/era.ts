/** Tells in which era of the protocol a request is: with a handshake, or stateless, since 2026-07-28. */
import { CapabilityError } from "../errors.js";

const FIRST = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";

type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** Whether a header names a version of this era, whatever the body then says. */
export function namesStateless(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version")?.trim() ?? "";
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= FIRST;
}

/** Whether a message is of this era. One that contradicts itself is, since this era has errors for that. */
export const isStateless = (headers: Headers, message: object): boolean =>
  VERSION in fieldsOf(fieldsOf((message as Fields).params)._meta) || namesStateless(headers);

/** The answer to a body that cannot be read, or to a request for unknown tools; undefined for faults of ours. */
export function refusalOf(error: unknown): Response | undefined {
  if (!CapabilityError.is(error) || error.status >= 500) return undefined;
  const { status, message } = error;
  const code = error.code === "INVALID_INPUT" ? -32_600 : -32_000;
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
