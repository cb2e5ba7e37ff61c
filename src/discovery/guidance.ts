/** Instructions for an agent before its first call, in a few sentences. */
import type { Catalogue } from "../host/catalogue.js";

export function guidance({ brand, basePath, publicPath, paid, signIn, trialsPerHour }: Catalogue): string {
  const base = publicPath(basePath);
  return (
    `Find an endpoint with GET ${base}/search/endpoints?q=<task>, and read its group with GET ${base}/openapi.json?group=<group>. ` +
    (paid
      ? "Call it: the 402 answer states the exact price. Repeat the same request with an x402 payment in the PAYMENT-SIGNATURE header."
      : "Call it: nothing is asked for it.") +
    (trialsPerHour > 0
      ? ` ${freeCalls(trialsPerHour)}: add the query parameter trial=1 or the header ${trialHeader(brand.slug)}: 1.`
      : "") +
    (signIn ? " What a wallet keeps here it may see, take out and end for nothing, once it signs in: see `siwx`." : "")
  );
}

export const freeCalls = (perHour: number): string =>
  `${perHour === 1 ? "One free call" : `${perHour} free calls`} per endpoint and hour`;

export function trialHeader(slug: string): string {
  return `X-${slug.toUpperCase()}-Trial`;
}
