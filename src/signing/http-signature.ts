/** Signs answers: HTTP Message Signatures (RFC 9421) over status, body, path and time. */
import { createHash } from "node:crypto";
import type { Signer } from "./signer.js";

export interface Signed {
  /** Path of the request, as its caller wrote it. */
  path: string;
  /** In seconds since 1970. */
  created: number;
}

/**
 * The same answer with `content-digest`, `signature-input` and `signature`; the body is unchanged. An account signs the
 * signature base as a personal message (EIP-191), and its `keyid` is its address.
 */
export async function signAnswer(signer: Signer, response: Response, { path, created }: Signed): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer());
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const algorithm = signer.algorithm ? `;alg="${signer.algorithm}"` : "";
  const parameters = `("@status" "content-digest" "@path";req);created=${created};keyid="${signer.kid}"${algorithm}`;
  const base = [
    `"@status": ${response.status}`,
    `"content-digest": ${digest}`,
    `"@path";req: ${path}`,
    `"@signature-params": ${parameters}`,
  ].join("\n");
  const signature = Buffer.from(await signer.sign(Buffer.from(base))).toString("base64");
  const headers = new Headers(response.headers);
  headers.set("content-digest", digest);
  headers.set("signature-input", `sig=${parameters}`);
  headers.set("signature", `sig=:${signature}:`);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
