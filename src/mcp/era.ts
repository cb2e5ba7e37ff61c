/** Tells in which era of the protocol a request is: with a handshake, or stateless, since 2026-07-28. */
import { CapabilityError, invalid } from "../errors.js";

const FIRST = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";

type Fields = Record<string, unknown>;
export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** Whether a header names a version of this era, whatever the body then says. */
function namesStateless(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version")?.trim() ?? "";
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= FIRST;
}

/** Whether a message is of this era. One that contradicts itself is, since this era has errors for that. */
export const isStateless = (headers: Headers, message: object): boolean =>
  VERSION in asFields(asFields((message as Fields).params)._meta) || namesStateless(headers);

/** The answer to a body that cannot be read, or to a request for unknown tools; undefined for faults of ours. */
export function refusalOf(error: unknown, message: object = {}): Response | undefined {
  if (!CapabilityError.is(error) || error.status >= 500) return undefined;
  const { status } = error;
  const code = error.code === "INVALID_INPUT" ? -32_600 : -32_000;
  const { id } = message as Fields;
  const asked = typeof id === "string" || typeof id === "number" ? id : null;
  return Response.json({ jsonrpc: "2.0", error: { code, message: error.message }, id: asked }, { status });
}

/** Refusals quote these, some of them twice. */
const MAX_QUOTED = 256;
/** A payment fits in a header, and the other metadata are few; the protocol's library looks at each name many times. */
const MAX_NAMES = 2000;

/** Throws INVALID_INPUT for what no client has beside a tool's arguments, which have bounds of their own. */
export function assertModest(message: object): void {
  const { method, params } = message as Fields;
  const { arguments: _, ...beside } = asFields(params);
  const quoted = {
    method,
    "params.name": beside.name,
    "params.taskId": beside.taskId,
    [`params._meta.${VERSION}`]: asFields(beside._meta)[VERSION],
  };
  for (const [name, value] of Object.entries(quoted))
    if (typeof value === "string" && value.length > MAX_QUOTED)
      throw invalid(name, `must have at most ${MAX_QUOTED} characters`);
  if (hasMoreNames(beside, MAX_NAMES)) throw invalid("params", `has more than ${MAX_NAMES} names beside the arguments`);
}

/** The depth of a message is bounded where it is read. */
function hasMoreNames(value: unknown, most: number): boolean {
  let left = most;
  const exceeds = (one: unknown): boolean => {
    if (typeof one !== "object" || one === null) return false;
    if (Array.isArray(one)) return one.some(exceeds);
    for (const name in one) if (--left < 0 || exceeds((one as Fields)[name])) return true;
    return false;
  };
  return exceeds(value);
}
