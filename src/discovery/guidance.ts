/** Instructions for an agent before its first call, in a few sentences. */
import type { Catalogue } from "../host/catalogue.js";

/** Says what a host sells that says nothing itself. */
export const DEFAULT_DESCRIPTION = "Pay-per-call data, AI and utility endpoints: no account, no API key.";

export function guidance({ brand, basePath, publicPath, paid, ...offers }: Catalogue): string {
  const { signIn, signInFree, signInAgain, accountKeys, trialsPerHour } = offers;
  const base = publicPath(basePath);
  return (
    `Find an endpoint with GET ${base}/search/endpoints?q=<task>, and read its group with GET ${base}/openapi.json?group=<group>. ` +
    (paid
      ? "Call it: the 402 answer states the exact price. Repeat the same request with an x402 payment in the PAYMENT-SIGNATURE header."
      : "Call it: every call is free.") +
    (trialsPerHour > 0
      ? ` ${freeCalls(trialsPerHour)}: add the query parameter trial=1 or the header ${trialHeader(brand.slug)}: 1.`
      : "") +
    (accountKeys ? " A caller with an account here sends its key as Authorization: Bearer instead of a payment." : "") +
    (signIn ? " A wallet that signs in may list, export and delete its data for free: see `siwx`." : "") +
    (signInFree.size > 0 ? ` Free for a wallet that signs in: ${[...signInFree].join(", ")}.` : "") +
    (signInAgain ? " A wallet that signs in gets again what it bought, for free, while that is kept." : "")
  );
}

export const freeCalls = (perHour: number): string =>
  `${perHour === 1 ? "One free call" : `${perHour} free calls`} per endpoint and hour`;

export function trialHeader(slug: string): string {
  return `X-${slug.toUpperCase()}-Trial`;
}
