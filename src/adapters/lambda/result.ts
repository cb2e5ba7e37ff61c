/** Converts an answer to AWS's result: a body as text or base64, headers as an object, cookies apart. */
import { type AnyResponse, isResponse, type PlainResponse } from "../../request/http/exchange.js";

export interface EncodedAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: string;
  isBase64Encoded: boolean;
}

const TEXT =
  /^(?:text\/|application\/(?:json|xml|javascript|x-www-form-urlencoded)\b|[\w.+-]+\/[\w.+-]+\+(?:json|xml)\b)/i;
const FOREIGN_CHARSET = /charset="?(?!utf-8|us-ascii)/i;

/** Parts of a result beside the body: status, names and headers. */
const OVERHEAD_BYTES = 64 * 1024;

/** The largest body that surely fits into `payloadBytes`, since base64 makes four bytes of three. */
export const largestBody = (payloadBytes: number): number => Math.floor(((payloadBytes - OVERHEAD_BYTES) * 3) / 4);

export async function encodeAnswer(answer: AnyResponse, payloadBytes: number): Promise<EncodedAnswer> {
  const { status, headers, cookies, bytes } = isResponse(answer) ? await partsOfResponse(answer) : partsOfReply(answer);
  const text = isText(headers) ? bytes.toString("utf8") : undefined;
  // Quotes and line breaks grow in JSON, so a large text may be smaller in base64.
  const asText = bytes.length === 0 || (text !== undefined && fits(text, payloadBytes));
  return {
    statusCode: status,
    headers,
    cookies,
    body: asText ? (text ?? "") : bytes.toString("base64"),
    isBase64Encoded: !asText,
  };
}

/** `headers` by lower-case name. */
interface Head extends Pick<EncodedAnswer, "headers" | "cookies"> {
  status: number;
}
interface Parts extends Head {
  bytes: Buffer;
}

const headOf = ({ status, headers }: Response): Head => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "set-cookie")),
  cookies: headers.getSetCookie(),
});

const partsOfResponse = async (response: Response): Promise<Parts> => ({
  ...headOf(response),
  bytes: Buffer.from(await response.arrayBuffer()),
});

/** An answer whose body is sent as it is made. */
export function openAnswer(answer: AnyResponse): Head & { body: ReadableStream<Uint8Array> | Buffer } {
  if (isResponse(answer) && answer.body) return { ...headOf(answer), body: answer.body };
  if (isResponse(answer)) return { ...headOf(answer), body: Buffer.alloc(0) };
  const { bytes, ...head } = partsOfReply(answer);
  return { ...head, body: bytes };
}

function partsOfReply({ status, headers, common, body }: PlainResponse): Parts {
  const all = Object.entries({ ...common?.record, ...headers });
  return {
    status,
    headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])),
    // Our own answers set no cookies.
    cookies: [],
    bytes: Buffer.from(body ?? ""),
  };
}

const fits = (text: string, payloadBytes: number): boolean =>
  Buffer.byteLength(JSON.stringify(text)) <= payloadBytes - OVERHEAD_BYTES;

/** Decided by media type: a gateway passes text unchanged and decodes base64 if its binary media types allow it. */
function isText({ "content-type": type, "content-encoding": encoding }: EncodedAnswer["headers"]): boolean {
  return type !== undefined && encoding === undefined && TEXT.test(type) && !FOREIGN_CHARSET.test(type);
}
