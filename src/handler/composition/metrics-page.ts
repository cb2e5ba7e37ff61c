/** Who may read a host's measurements. */
import { createHash, timingSafeEqual } from "node:crypto";
import { isInPrivateNetwork } from "../../lib/http/private-network.js";

const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

/** Headers that a proxy adds: whose request it was is not the address that is seen. */
const PROXIED = ["x-forwarded-for", "forwarded", "x-real-ip", "via", "cf-connecting-ip"];

export interface Reader {
  authorization: string | null;
  /** Whether the reader is of this machine or a private network. */
  isNear: boolean;
}

/** The page, for whom the host wants: those who have its token, or else those who are near. */
export async function metricsPage(
  { authorization, isNear }: Reader,
  { token, text }: { token: string | undefined; text: () => Promise<string> },
): Promise<Response> {
  const mayRead = token === undefined ? isNear : isSame(authorization, `Bearer ${token}`);
  // guard: metrics: nobody reads a host's figures from outside | always | host/metrics
  if (mayRead) return new Response(await text(), { headers: { "content-type": TEXT_FORMAT } });
  if (token === undefined) return new Response("Not found.\n", { status: 404 });
  return new Response("Send the host's token as a bearer token.\n", {
    status: 401,
    headers: { "www-authenticate": 'Bearer realm="metrics"' },
  });
}

/** A caller of this machine or its network. One without an address is the host's own program. */
export const isNear = (headers: Headers, address: string | undefined): boolean =>
  // guard: metrics: what came through a proxy is from outside | - PROXIED.every((name) => !headers.has(name)) && | host/metrics
  PROXIED.every((name) => !headers.has(name)) && (address === undefined || isInPrivateNetwork(address));

/** In a time that tells nothing about the token. */
function isSame(sent: string | null, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sent ?? ""), digest(wanted));
}
