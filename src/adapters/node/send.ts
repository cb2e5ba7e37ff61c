import { type ServerResponse, STATUS_CODES } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import { type AnyResponse, isResponse, type PlainResponse } from "../../request/http/exchange.js";

/** The reason phrase, as in `402 Payment Required`. */
const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? "Unknown";

/** Sends an answer by Node, with a reason phrase, because an empty one looks broken. */
export async function send(res: ServerResponse, response: AnyResponse): Promise<void> {
  if (!isResponse(response)) return sendReply(res, response);
  if (response.statusText === "")
    Object.defineProperty(response, "statusText", { value: reasonPhrase(response.status) });
  await sendResponse(res, response);
}

/** In one write, with a known length. */
function sendReply(res: ServerResponse, { status, headers, common, body }: PlainResponse): void {
  const all: Record<string, string | number> = { ...common?.record };
  for (const name in headers) all[name] = headers[name] ?? "";
  if (body !== null) all["content-length"] = Buffer.byteLength(body);
  res.writeHead(status, reasonPhrase(status), all);
  res.end(body ?? undefined);
}
