/** Finds an endpoint by the name that a caller writes: its id, its method, and whether it answers with a file. */
import { CapabilityError } from "../errors.js";
import { ENDPOINTS } from "./endpoints.js";
import { readResponse } from "./read-response.js";

export interface EndpointFacts {
  id: string;
  method: "GET" | "POST" | "DELETE";
  /** Its path below the base path, if that is not made of its id. */
  path?: string;
  /** Whether a call resolves to `{ contentType, body, headers }`, even if the answer is JSON. */
  binary: boolean;
}

type Table = Map<string, EndpointFacts>;

const camel = (text: string): string => text.replace(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());

/** "business.brCnpj" for "business.br-cnpj". */
const nameOf = (id: string): string => id.split(".").map(camel).join(".");

let ours: Table | undefined;

function readOurs(): Table {
  const lines = ENDPOINTS.trim().split("\n");
  return toTable(
    lines.map((line) => {
      const [id = "", ...facts] = line.split(" ");
      return { id, method: facts.includes("GET") ? "GET" : "POST", binary: facts.includes("file") };
    }),
  );
}

const toTable = (endpoints: EndpointFacts[]): Table => new Map(endpoints.map((one) => [nameOf(one.id), one]));

export type FindEndpoint = (name: string, signal?: AbortSignal) => Promise<EndpointFacts>;

/**
 * Finds endpoints by id or camelCase name: this package's in a table, a host's own in the service's directory, which is
 * requested once. Rejects with NOT_FOUND.
 */
export function createFinder(fetch: typeof globalThis.fetch, baseUrl: string, maxBytes: number): FindEndpoint {
  let theirs: Promise<Table> | undefined;
  return async (id) => {
    const name = nameOf(id);
    ours ??= readOurs();
    const known = ours.get(name);
    if (known) return known;
    theirs ??= readDirectory(fetch, baseUrl, maxBytes).catch((error: unknown) => {
      theirs = undefined;
      throw error;
    });
    const found = (await theirs).get(name);
    if (!found) throw new CapabilityError("NOT_FOUND", `${baseUrl} has no endpoint "${id}".`);
    return found;
  };
}

async function readDirectory(fetch: typeof globalThis.fetch, baseUrl: string, maxBytes: number): Promise<Table> {
  try {
    const response = await fetch(`${baseUrl}/directory`);
    const text = new TextDecoder().decode(await readResponse(response, maxBytes));
    const { endpoints } = JSON.parse(text) as { endpoints: (EndpointFacts & { path: string })[] };
    const pathOf = (path: string) => path.split("/").slice(-2).join("/");
    return toTable(endpoints.map(({ id, method, path }) => ({ id, method, path: pathOf(path), binary: false })));
  } catch (cause) {
    if (CapabilityError.is(cause)) throw cause;
    throw new CapabilityError("UPSTREAM_ERROR", `The directory at ${baseUrl} could not be read.`, { cause });
  }
}
