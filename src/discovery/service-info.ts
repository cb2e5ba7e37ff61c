/** The extension `x-service-info` of the OpenAPI document: what a service is about, and where it is described. */
import type { AnyCapability } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";

/** The kinds that directories know, by our groups; all others are data. */
const KINDS: Readonly<Record<string, string>> = {
  ai: "compute",
  batch: "compute",
  image: "media",
  pdf: "media",
  doc: "media",
  barcode: "media",
  email: "communication",
  phone: "communication",
  pubsub: "communication",
  webhooks: "communication",
  store: "storage",
  queue: "storage",
  lock: "storage",
  schedule: "developer-tools",
  code: "developer-tools",
  dev: "developer-tools",
  validate: "developer-tools",
  text: "developer-tools",
  aviation: "travel",
  airport: "travel",
  aircraft: "travel",
};
const MOST = 5;

/** Kinds of what is sold, the most frequent first. */
function categoriesOf(capabilities: readonly AnyCapability[]): string[] {
  const counts = new Map<string, number>();
  for (const { group } of capabilities) {
    const kind = KINDS[group] ?? "data";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind]) => kind)
    .slice(0, MOST);
}

/** Without an address of the service, no document of it can be named. */
export function serviceInfo(
  { basePath, docs }: Catalogue,
  { capabilities, origin }: { capabilities: readonly AnyCapability[]; origin: string | undefined },
) {
  const base = origin === undefined ? undefined : origin + basePath;
  const described =
    base === undefined
      ? {}
      : {
          docs: {
            ...(docs ? { homepage: `${base}/docs` } : {}),
            apiReference: `${base}/openapi.json`,
            llms: `${base}/llms.txt`,
          },
        };
  return { categories: categoriesOf(capabilities), ...described };
}
