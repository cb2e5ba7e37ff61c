import { type ServerResponse, STATUS_CODES } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import { type AnyResponse, type CommonHeaders, isResponse, type PlainResponse } from "../../request/http/exchange.js";

/** The reason phrase, as in `402 Payment Required`. */
const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? "Unknown";

/** Sends an answer by Node, with a reason phrase, because an empty one looks broken. */
export async function send(res: ServerResponse, response: AnyResponse): Promise<void> {
  if (!isResponse(response)) return sendReply(res, response);
  if (response.statusText === "")
    Object.defineProperty(response, "statusText", { value: reasonPhrase(response.status) });
  await sendResponse(res, response);
}

/** In one write, with a known length. Names and values in turn, which Node takes as they are. */
function sendReply(res: ServerResponse, { status, headers, common, body }: PlainResponse): void {
  const list = common ? [...flatOf(common)] : [];
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (common && Object.hasOwn(common.record, name)) list[placeOf(list, name)] = value;
    else list.push(name, value);
  }
  if (body !== null) list.push("content-length", String(Buffer.byteLength(body)));
  res.writeHead(status, reasonPhrase(status), list);
  res.end(body ?? undefined);
}

/** The place of a name's value. Every second text is a name. */
function placeOf(list: readonly string[], name: string): number {
  let at = 0;
  while (list[at] !== name) at += 2;
  return at + 1;
}

const flat = new WeakMap<CommonHeaders, readonly string[]>();

function flatOf(common: CommonHeaders): readonly string[] {
  const known = flat.get(common) ?? Object.entries(common.record).flat();
  flat.set(common, known);
  return known;
}
