/**
 * Whether a caller meant a request that its browser may have signed in by itself. A page of another origin can send a
 * browser here with its user's cookies and Basic credentials, by a form, a picture or a script, so a login that reads
 * them is asked only about requests that no such page can make.
 */
import { type Call, publicOrigin } from "./call.js";
import type { LazyRequest } from "./http/exchange.js";

/** Schemes that no browser adds by itself, and no page of another origin without the host's consent. */
const EXPLICIT = /^(?:Bearer|Payment)(?![\w-])/i;
const OUR_PAGES: ReadonlySet<string> = new Set(["same-origin", "none"]);
/** Bodies that a page of another origin sends without asking; one without a type is among them. */
const UNASKED = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)?\s*(?:;|,|$)/i;

type Asked = Pick<Call, "caller" | "host" | "info" | "url">;

/** `trusted` are further origins whose pages may spend their user's balance. */
export function isMeant(call: Asked, trusted: readonly string[] = []): boolean {
  const { headers } = call.caller;
  if (isExplicit(headers.get("authorization") ?? "")) return true;
  const pages = [headers.get("origin"), headers.get("referer")].filter((page) => page !== null);
  const own = [call.url.origin, call.caller.url.origin, publicOrigin(call)];
  if (!pages.every((page) => isOf(page, own, trusted))) return false;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return OUR_PAGES.has(site) || (pages.length > 0 && pages.every((page) => isOf(page, [], trusted)));
  // Browsers tell nothing more over a connection without encryption, and less for a page that asks for it.
  return pages.length > 0 || !isMadeByMarkup(call.caller);
}

const isExplicit = (authorization: string): boolean =>
  authorization.split(",").some((one) => EXPLICIT.test(one.trim()));

/** A form, or what a page embeds: the requests that a browser makes for a foreign page without asking. */
function isMadeByMarkup({ method, headers }: LazyRequest): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (mode === "no-cors" || mode === "navigate" || headers.has("sec-fetch-dest")) return true;
  if (/^\s*image\//i.test(headers.get("accept") ?? "")) return true;
  return method !== "GET" && UNASKED.test(headers.get("content-type") ?? "");
}

/** Whether an `Origin` or a `Referer` names one of our own origins, or one that the host trusts. */
function isOf(sent: string, own: readonly string[], trusted: readonly string[]): boolean {
  if (!URL.canParse(sent)) return false;
  const page = new URL(sent);
  if (trusted.some((one) => new URL(one).origin === page.origin)) return true;
  return own.some((one) => {
    const { origin, host } = new URL(one);
    // A proxy may end the encryption without telling.
    return page.origin === origin || (page.protocol === "https:" && page.host === host);
  });
}
