/** Facts of the service: the list that came with the page, and the documents that it asks for. */

export interface Settings {
  /** The public base path, without a trailing slash. */
  base: string;
  name: string;
  slug: string;
  description: string;
  paid: boolean;
  /** Whether payments are taken on Solana alone. */
  onlySolana?: boolean;
  /** Networks of which the service tells a recent block, without which nobody signs a payment there. */
  recentBlocks?: string[];
  trialsPerHour: number;
  /** Whether a key of an account may pay. */
  accountKeys: boolean;
  /** Whether models find a server of theirs at `<base>/mcp`. */
  mcp: boolean;
  /** The package that is missing for it. */
  modelsNeed?: string;
  /** Texts of the query that a page of one endpoint was opened with. */
  input?: Record<string, string>;
  endpoints: (Pick<Endpoint, "id" | "summary" | "price"> & Partial<Endpoint>)[];
}

export interface Price {
  mode: "fixed" | "dynamic";
  usd?: string;
  minUsd?: string;
  maxUsd?: string;
}

export interface Endpoint {
  id: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  summary: string;
  group: string;
  /** Its id without the group. */
  name: string;
  price: Price;
  billing: "exact" | "upto";
  deprecated: boolean;
  sunset?: string;
  available: boolean;
  /** Why it is unavailable. */
  reason?: string;
  /** False if no call of it is free, whatever the host gives. */
  trial: boolean;
  /** Free, and for the owner of an account alone. */
  ownersOnly?: boolean;
  /** The id whose path it has, if that is not its own. */
  mountedAt?: string;
}

/** Whether some calls of an endpoint are free. */
export const hasTrials = ({ trial }: Endpoint): boolean => trial && settings.trialsPerHour > 0;

export interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Field {
  name: string;
  required: boolean;
  schema: Schema;
  description: string;
  /** The value in the catalogue's own example. */
  example: unknown;
}

/** The document of one endpoint. */
export interface Reference {
  input: Schema;
  example: Record<string, unknown>;
  answer: {
    types: string[];
    schema?: Schema;
    /** Whether the JSON is `data` beside `meta`. */
    envelope: boolean;
    example?: { json: unknown; shortened: boolean; input?: unknown } | { text: string; type: string };
  };
  errors: { status: number; description: string; codes: string[] }[];
  source: { provider: string; url: string; license: string };
  terms?: { resale: string; attribution: string | null; note: string; url: string; checkedAt: string | null };
  timeoutSeconds: number;
  offline: boolean;
}

export const settings: Settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

/** Every endpoint, unavailable ones last. */
export const endpoints: Endpoint[] = settings.endpoints.map((listing) => {
  const [group = "", name = ""] = listing.id.split(/\.(.*)/s);
  const path = `${settings.base}/${(listing.mountedAt ?? listing.id).replace(".", "/")}`;
  const usual = { method: "GET", billing: "exact", deprecated: false, available: true, trial: true } as const;
  return { ...usual, ...listing, group, name, path };
});

async function read<T>(path: string): Promise<T> {
  const response = await fetch(settings.base + path);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.json();
}

export interface Hit {
  id: string;
  score: number;
}

/** The ids for a task, best first. */
export const search = async (task: string): Promise<Hit[]> =>
  (await read<{ results: Hit[] }>(`/search/endpoints?limit=20&q=${encodeURIComponent(task)}`)).results;

const references = new Map<string, Promise<Reference>>();

/** Reads the document of an endpoint, once. */
export function readReference(id: string): Promise<Reference> {
  const reference = references.get(id) ?? read<Reference>(`/docs/endpoint.json?id=${encodeURIComponent(id)}`);
  references.set(id, reference);
  reference.catch(() => references.delete(id));
  return reference;
}

/** Whether the answer is JSON only, or a file, too. */
export const answersJson = ({ answer }: Reference): boolean =>
  answer.types.every((type) => type === "application/json");

/** The members of an object, each with its value in the example. */
export const membersOf = ({ properties = {}, required = [] }: Schema, example?: Record<string, unknown>): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
    description: schema.description ?? "",
    example: example?.[name],
  }));

/** Whether a call of it is paid for. */
export const isPaid = ({ ownersOnly }: Endpoint): boolean => settings.paid && !ownersOnly;

export const trialHeader = (): string => `X-${settings.slug.toUpperCase()}-Trial`;

/** The address and the options of a call; `input` has parsed values. */
export function requestOf(
  { method, path }: Endpoint,
  input: Record<string, unknown>,
): [url: string, init: RequestInit] {
  if (method === "POST")
    return [path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(input) }];
  const query = queryOf(input);
  return [query ? `${path}?${query}` : path, { method }];
}

function queryOf(input: Record<string, unknown>): string {
  const texts = Object.entries(input).map(([name, value]): [string, string] => [name, textOf(value)]);
  return new URLSearchParams(texts).toString();
}

export const textOf = (value: unknown): string =>
  Array.isArray(value) && value.every((one) => typeof one !== "object")
    ? value.join(",")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

export function priceText({ mode, usd, minUsd, maxUsd }: Price): string {
  if (!settings.paid || usd === "0") return "free";
  return mode === "fixed" ? `$${usd}` : `$${minUsd} to $${maxUsd}`;
}
