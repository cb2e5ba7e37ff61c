/** The page's requests to the service, for the same free documents that everybody can read. */

export interface Settings {
  /** The public base path, without a trailing slash. */
  base: string;
  slug: string;
  description: string;
  paid: boolean;
  trialsPerHour: number;
}

export interface Price {
  mode: "fixed" | "dynamic";
  usd?: string;
  minUsd?: string;
  maxUsd?: string;
}

export interface Endpoint {
  id: string;
  method: "GET" | "POST";
  path: string;
  summary: string;
  group: string;
  price: Price;
  billing: string;
  deprecated: boolean;
  available: boolean;
  /** Why it is unavailable. */
  reason?: string;
  source: { provider: string; url: string; license: string };
  terms?: { resale: string; attribution: string | null; note: string; url: string; checkedAt: string | null };
}

export interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
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

interface Operation {
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: { content: { "application/json": { schema: Schema; example: Record<string, unknown> } } };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** Parameters of an endpoint, and whether it answers with JSON only, or with files, too. */
export interface Description {
  fields: Field[];
  answersJson: boolean;
}

export const settings: Settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

async function read<T>(path: string): Promise<T> {
  const response = await fetch(settings.base + path);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.json();
}

export const readCatalogue = async (): Promise<Endpoint[]> =>
  (await read<{ endpoints: Endpoint[] }>("/directory")).endpoints;

/** The ids for a task, best first. */
export const search = async (task: string): Promise<string[]> =>
  (await read<{ results: { id: string }[] }>(`/search/endpoints?limit=20&q=${encodeURIComponent(task)}`)).results.map(
    ({ id }) => id,
  );

const groups = new Map<string, Promise<{ paths: Record<string, Record<string, Operation>> }>>();

export async function readDescription({ group, path, method }: Endpoint): Promise<Description> {
  let document = groups.get(group);
  if (!document) {
    document = read(`/openapi.json?all=1&group=${encodeURIComponent(group)}`);
    groups.set(group, document);
    document.catch(() => groups.delete(group));
  }
  const { paths } = await document;
  // Paths in the document are relative to the service itself; a proxy may have cut a prefix off.
  const operation = Object.entries(paths).find(([known]) => path.endsWith(known))?.[1][method.toLowerCase()];
  if (!operation) throw new Error("The service does not describe this endpoint.");
  const answersJson = Object.keys(operation.responses["200"]?.content ?? {}).every(
    (type) => type === "application/json",
  );
  return { fields: fieldsOf(operation), answersJson };
}

function fieldsOf({ requestBody, parameters }: Operation): Field[] {
  const body = requestBody?.content["application/json"];
  if (body) return membersOf(body.schema, body.example);
  return parameters
    .filter((parameter) => parameter.in === "query" && parameter.name !== "trial")
    .map(({ description = "", example, ...field }) => ({ ...field, description, example }));
}

/** The members of an object, each with its value in the example. */
export const membersOf = ({ properties = {}, required = [] }: Schema, example?: Record<string, unknown>): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
    description: schema.description ?? "",
    example: example?.[name],
  }));

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
  if (!settings.paid) return "free";
  return mode === "fixed" ? `${usd} USD` : `${minUsd} to ${maxUsd} USD`;
}
