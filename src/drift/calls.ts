/** Tells which call of which provider a request was. */
import { discriminator, fits, isRpc, literalsIn, type Request, segmentsOf } from "../upstream/inventory/calls.js";
import type { CallShape } from "./shape.js";

/** The shape of a request's call; undefined if none was recorded. */
export function findShape(shapes: readonly CallShape[], request: Request): CallShape | undefined {
  const by = discriminator(request);
  const same = shapes.filter((shape) => shape.method === request.method && (shape.by ?? undefined) === by);
  // Which node answers JSON-RPC is a matter of settings.
  if (isRpc(request)) return same[0];
  const own = segmentsOf(request.url.pathname);
  const fitting = same
    .filter(({ path }) => fits(segmentsOf(path), own))
    .sort((a, b) => literalsIn(b.path) - literalsIn(a.path));
  const { host } = request.url;
  return (
    fitting.find((shape) => shape.host === host) ??
    fitting.find((shape) => domainOf(shape.host) === domainOf(host)) ??
    same.find((shape) => shape.provider === GATEWAY && endOf(shape.path) === endOf(request.url.pathname))
  );
}

/** The gateway of models, whose address a setting chooses. */
const GATEWAY = "ai-gateway";
const endOf = (path: string) => segmentsOf(path).slice(-2).join("/");

const domainOf = (host: string) => host.split(".").slice(-2).join(".");

/** The provider at a request's address, as the shapes know it; else the host. */
export const providerAt = (shapes: readonly CallShape[], { host }: URL): string =>
  (shapes.find((shape) => shape.host === host) ?? shapes.find((shape) => domainOf(shape.host) === domainOf(host)))
    ?.provider ?? host;

/** A segment that inputs fill in: a number, a hash, or what the input says. */
export function isFilledIn(segment: string, said: ReadonlySet<string>): boolean {
  const text = decodeURIComponent(segment).toLowerCase();
  return said.has(text) || (/\d/.test(text) && !/^v\d+(?:\.\d+)?$|^[a-z-]+\d?$/.test(text)) || /^0x/.test(text);
}

/** A name for the call: its last fixed segment, and what else tells it. */
export function nameOfCall(path: string, by: string | undefined): string {
  const fixed = segmentsOf(path).filter(
    (segment) => segment.length < 40 && !/^\*$|^v\d|^api$|^rest$|^[A-Z]{3,4}$/.test(segment),
  );
  const last = (fixed.at(-1) ?? "root").replace(/\.(?:json|csv|txt|ashx|php|aspx)$/i, "");
  return by === undefined ? last : /^method=/.test(by) ? by.slice("method=".length) : `${last} ${by.split("=")[1]}`;
}
