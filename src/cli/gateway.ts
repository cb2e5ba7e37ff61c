/** The gateway that a command line names: by a file, or by an origin's address with its OpenAPI document and one price. */
import type { AnyCapability } from "../capability/types.js";
import { type Gateway, readGateway } from "../gateway/file.js";
import type { Invocation } from "./invocation.js";
import { UsageError } from "./usage.js";

/** Throws a UsageError that names the fault of the file. */
export async function gatewayOf({ words, options, env }: Invocation, command: string): Promise<Gateway> {
  const [word] = words;
  const file = (options.config as string | undefined) ?? word;
  if (file === undefined || words.length > 1)
    throw new UsageError(`Name one file: coinslot ${command} gateway.yaml. coinslot proxy --help has an example.`);
  try {
    return await readGateway(file, { env });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** The command that calls an endpoint with its example. */
export function tryLine(capability: AnyCapability | undefined, url: string, isTrial: boolean): string {
  if (!capability) return url;
  const { method, path, example } = capability;
  const address = `${url}${path}`;
  if (method === "POST") {
    const body = JSON.stringify(example).replaceAll("'", "'\\''");
    return `curl '${address}' -H 'content-type: application/json' -d '${body}'`;
  }
  const texts = Object.entries(example as object).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(isTrial ? [...texts, ["trial", "1"]] : texts).toString();
  return `curl '${address}${query ? `?${query}` : ""}'`;
}
