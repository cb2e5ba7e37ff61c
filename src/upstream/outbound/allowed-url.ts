/** Rules for a caller's URL, checked before anything is fetched and again for each redirect. */
import { isIP } from "node:net";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { isUrl } from "../../lib/http/url.js";
import { isPublicAddress } from "./addresses.js";

/** The part of a Context that decides what may be fetched. */
export type OutboundRules = Pick<Context, "outbound">;

export interface UrlOptions {
  /** Refuses http, also in redirects; or everywhere except at host names that the host allows. */
  httpsOnly?: boolean | "unless allowed";
  /** The input's field that errors name. Default `url`. */
  field?: string;
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

const MAX_URL_LENGTH = 8192;
const MAX_ADDRESSES = 64;

/** Names that are resolved inside networks and not by the public DNS (RFC 6761, 6762, 7686, 8375 and custom). */
const PRIVATE_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "lan",
  "home",
  "home.arpa",
  "corp",
  "svc",
  "onion",
];

/** Reads a URL whose text shows that it is allowed; without the network. Throws URL_NOT_ALLOWED. */
export function assertAllowedUrl(ctx: OutboundRules, url: string, options: UrlOptions): URL {
  assertPlainText(url, options);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !isUrl(url))
    throw notAllowed(options, "must be an absolute http or https URL");
  const parsed = new URL(url);
  const mayBePlain = options.httpsOnly === "unless allowed" && isListed(ctx.outbound.allowHosts, parsed);
  if (options.httpsOnly && !mayBePlain && parsed.protocol !== "https:")
    throw notAllowed(options, "must be an https URL");
  if (parsed.username || parsed.password) throw notAllowed(options, "must not contain a user name or password");
  assertAllowedHost(ctx, parsed, options);
  return parsed;
}

/** The same for the Location header of an answer from `from`. */
export function assertAllowedRedirect(ctx: OutboundRules, from: URL, location: string, options: UrlOptions): URL {
  assertPlainText(location, options);
  if (!isUrl(location, from.href)) throw notAllowed(options, "redirects to an invalid URL");
  return assertAllowedUrl(ctx, new URL(location, from).href, options);
}

/**
 * The checked addresses of an allowed URL's host; connections may go only to these. A name without an address is
 * refused in the same words as a private one, so that a caller cannot map private names.
 */
export async function resolveAllowed(
  ctx: OutboundRules,
  url: URL,
  options: UrlOptions,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const host = hostOf(url);
  const answers = isIP(host) ? [host] : await resolve(ctx, host);
  const trusted = ctx.outbound.allowPrivate || isListed(ctx.outbound.allowHosts, url);
  const allowed = answers.length <= MAX_ADDRESSES && (trusted || answers.every(isPublicAddress));
  const [first, ...others] = answers.map((address) => ({ address, family: isIP(address) }));
  if (!first || !allowed) throw notAllowed(options, "does not lead to a public address");
  return [first, ...others];
}

export function notAllowed({ field = "url" }: UrlOptions, message: string): CapabilityError {
  return new CapabilityError("URL_NOT_ALLOWED", `${field}: ${message}`, { issues: [{ path: field, message }] });
}

/**
 * Parsers disagree about these characters, and WHATWG's drops or converts them: http://127.0.\n0.1/, http:\\127.0.0.1.
 */
function assertPlainText(url: string, options: UrlOptions): void {
  if (url.length > MAX_URL_LENGTH) throw notAllowed(options, `must be at most ${MAX_URL_LENGTH} characters long`);
  if (/[\p{Cc}\\]/u.test(url)) throw notAllowed(options, "must not contain control characters or backslashes");
}

function assertAllowedHost(ctx: OutboundRules, url: URL, options: UrlOptions): void {
  const { allowHosts, denyHosts, allowPrivate } = ctx.outbound;
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  if (isListed(denyHosts, url)) throw notAllowed(options, "must not lead back to this service");
  if (!isAddress && !isHostName(host)) throw notAllowed(options, "has no valid host name");
  if (allowPrivate) return;
  if (!allowHosts?.some((entry) => namesPort(entry, url)) && url.port !== "" && url.port !== "80" && url.port !== "443")
    throw notAllowed(options, "must use port 80 or 443");
  if (isListed(allowHosts, url)) return;
  if (isAddress ? !isPublicAddress(host) : isPrivateName(host))
    throw notAllowed(options, "does not lead to a public address");
}

/** Entries are host names or addresses as in a URL (`[::1]`), with or without a port. */
function isListed(entries: readonly string[] | undefined, url: URL): boolean {
  return entries?.some((entry) => entry.toLowerCase() === nameOf(url) || namesPort(entry, url)) ?? false;
}

function namesPort(entry: string, url: URL): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return entry.toLowerCase() === `${nameOf(url)}:${port}`;
}

/** Without the dot that ends a fully qualified name. */
function nameOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

/** The form of resolvers and sockets, without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return nameOf(url).replace(/^\[|\]$/g, "");
}

/** Letters, digits, hyphens, and underscores, which some sites use against the rules of DNS. */
function isHostName(host: string): boolean {
  return host.length <= 253 && host.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

/** A name with one label is completed by the machine's search domain. */
export function isPrivateName(host: string): boolean {
  return !host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

const systemLookup = async (name: string) => (await import("node:dns/promises")).lookup(name, { all: true });

async function resolve(ctx: OutboundRules, host: string): Promise<string[]> {
  const lookup = ctx.outbound.lookup ?? systemLookup;
  try {
    return (await lookup(host)).map(({ address }) => address);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}
