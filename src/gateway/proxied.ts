/** Makes capabilities of an origin's API: each route is one, with its price, and is mounted like any other. */
import type { AnyCapability } from "../capability/types.js";
import { createLine } from "../upstream/line.js";
import { type ReadDocument, readDocument } from "./openapi.js";
import { isOwnHeader, type OperationName, type OriginOperation } from "./operation.js";
import { type ProxyOptions, type ProxyRoute, proxyOptions } from "./options.js";
import { operationOfRoute } from "./route.js";
import { secretsOf } from "./secrets.js";
import { methodAndPath, type Shared, soldRoute, Unusable } from "./sold.js";

export type { ProxyCredential, ProxyOptions, ProxyRoute, SecretText } from "./options.js";

/** Of an origin, which answers may keep for long. */
const DEFAULT_CONCURRENCY = 200;

/**
 * Capabilities of another HTTP API: its routes, or the operations of its OpenAPI document, each with a price. A call is sent
 * to the origin with the host's credentials, and its answer of 2xx is the result; any other costs nothing.
 *
 * Throws a TypeError for an unknown or contradictory option.
 *
 * @example
 * ```ts
 * const weather = proxied({
 *   origin: "https://api.example.com/v1",
 *   group: "weather",
 *   credentials: { header: "authorization", value: "Bearer ${WEATHER_KEY}" },
 *   routes: [{ path: "/cities/{city}/forecast", price: "0.002", summary: "The forecast of a city for three days." }],
 * });
 * const handle = createHandler({ capabilities: weather, payment });
 * ```
 */
export function proxied(options: ProxyOptions): AnyCapability[] {
  return readProxy(options).capabilities;
}

/** The same, with the operations of the document that are not sold, and why. */
export function readProxy(options: ProxyOptions): { capabilities: AnyCapability[]; left: ReadDocument["left"] } {
  proxyOptions("proxied options", options);
  assertHeaders(options);
  const { group, openapi, routes = [] } = options;
  const document = openapi ? documentOf(openapi, options) : { operations: [], left: [] };
  const shared = sharedOf(options, document);
  const described = soldOperations(options, document.operations, shared);
  const isTold = (route: ProxyRoute) => document.operations.some((operation) => isFor(route, operation));
  const written = routes
    .filter((route) => !isTold(route))
    .map((route) => {
      assertDescribed(route, document);
      return soldRoute(operationOfRoute(route), route, shared);
    });
  const capabilities = [...described.capabilities, ...written];
  assertDistinct(group, capabilities);
  if (capabilities.length === 0) throw new TypeError(`${group}: no route has a price, so nothing is sold.`);
  return { capabilities, left: [...document.left, ...described.left] };
}

/** The operations of the document that have a price: their route's, or that of all. */
function documentOf(openapi: object, options: ProxyOptions): ReadDocument {
  const { routes = [], price } = options;
  try {
    return readDocument(openapi, (all) => {
      const isChosen = chooser(options, all);
      return (one) =>
        routes.some((route) => route.price !== undefined && isFor(route, one)) ||
        (price !== undefined && isChosen(one));
    });
  } catch (cause) {
    throw new TypeError(`proxied options.openapi: ${(cause as Error).message}`, { cause });
  }
}

function assertHeaders({ headers = {} }: ProxyOptions): void {
  const own = Object.keys(headers).find((name) => isOwnHeader(name) && !/^(?:accept|user-agent)$/i.test(name));
  if (own !== undefined)
    throw new TypeError(`proxied options.headers: "${own}" cannot be set here; a key is an entry of credentials.`);
}

function assertDistinct(group: string, capabilities: readonly AnyCapability[]): void {
  const ids = capabilities.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new TypeError(`${group}: two routes have the id ${twice}; give one of them a \`name\`.`);
}

/** A route of a document's operation that cannot be read tells its input itself. */
function assertDescribed(route: ProxyRoute, { left }: Pick<ReadDocument, "left">): void {
  if (route.price === undefined) return;
  const beside = left.find(({ operation }) => operation === methodAndPath(route));
  if (beside && !route.input)
    throw new TypeError(`${beside.operation} cannot be sold: ${beside.because}. Give the route an \`input\`.`);
}

function soldOperations(
  { routes = [] }: ProxyOptions,
  operations: readonly OriginOperation[],
  shared: Shared,
): { capabilities: AnyCapability[]; left: ReadDocument["left"] } {
  const left: ReadDocument["left"] = [];
  const capabilities = operations.flatMap((operation) => {
    const route = routes.find((one) => isFor(one, operation));
    try {
      return [soldRoute(operation, route, shared)];
    } catch (error) {
      if (route || !(error instanceof Unusable)) throw error;
      left.push({ operation: methodAndPath(operation), because: error.message });
      return [];
    }
  });
  return { capabilities, left };
}

const isFor = (route: ProxyRoute, operation: OperationName): boolean =>
  methodAndPath(route) === methodAndPath(operation);

/** Whether an operation of the document is sold at the price of all. Throws a TypeError for a name that none has. */
function chooser(
  { include, exclude = [] }: ProxyOptions,
  operations: readonly OperationName[],
): (of: OperationName) => boolean {
  const fits = (pattern: string) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const regex = new RegExp(`^${parts.join("[^ ]*")}$`);
    return (operation: OperationName) => operation.id === pattern || regex.test(methodAndPath(operation));
  };
  const read = (patterns: readonly string[], option: string) =>
    patterns.map((pattern) => {
      const is = fits(pattern);
      if (!operations.some(is)) throw new TypeError(`${option}: no operation of the document is "${pattern}".`);
      return is;
    });
  const [wanted, unwanted] = [include && read(include, "include"), read(exclude, "exclude")];
  return (operation) => (wanted?.some((is) => is(operation)) ?? true) && !unwanted.some((is) => is(operation));
}

function sharedOf(options: ProxyOptions, { title }: Pick<ReadDocument, "title">): Shared {
  const credentials = [options.credentials ?? []].flat();
  const taken = new Set(
    credentials.map((one) =>
      "query" in one
        ? `query ${one.query}`
        : `header ${("header" in one ? one.header : "authorization").toLowerCase()}`,
    ),
  );
  return {
    options,
    base: new URL(options.origin),
    secrets: secretsOf(credentials),
    // guard: gateway: an origin is asked so many times at once | options.concurrency -> 1e6 | gateway/crowd
    line: createLine("The source of this endpoint", options.concurrency ?? DEFAULT_CONCURRENCY),
    title: options.title ?? title ?? options.group,
    isTaken: (place, name) => taken.has(`${place} ${place === "header" ? name.toLowerCase() : name}`),
  };
}
