/** Clients of the Model Context Protocol at a shop: the official one of 2025-11-25, and messages of 2026-07-28. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import type { Shop } from "./shop.js";

const ERA = "2026-07-28";
export const PROTOCOL = "io.modelcontextprotocol/";
export const READS = { extensions: { [`${PROTOCOL}tasks`]: {} } };
const clientAddress = "203.0.113.7";

export async function legacy(shop: Pick<Shop, "handle">, key?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL("http://shop.test/api/mcp"), {
    fetch: (input, init) => shop.handle(new Request(input, init), { clientAddress }),
    requestInit: { headers },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

export /** Sends a message of 2026-07-28; a key names an account. */
async function send(shop: Pick<Shop, "handle">, method: string, params: Record<string, unknown>, sent: Sent = {}) {
  const { capabilities = READS, meta = {}, key, name = params.name ?? params.taskId } = sent;
  const _meta = {
    [`${PROTOCOL}protocolVersion`]: ERA,
    [`${PROTOCOL}clientInfo`]: { name: "test", version: "1" },
    [`${PROTOCOL}clientCapabilities`]: capabilities,
    ...meta,
  };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": ERA,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta, ...params } });
  const response = await shop.handle(new Request("http://shop.test/api/mcp", { method: "POST", headers, body }), {
    clientAddress,
  });
  return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number; data?: unknown } };
}
export interface Sent {
  capabilities?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  key?: string;
  name?: string;
}

export async function withKey(shop: Pick<Shop, "handle">, account: string): Promise<string> {
  await shop.handle.accounts.topUp(account, "1", { reference: `top-${account}` });
  return (await shop.handle.accounts.createKey(account)).key;
}
