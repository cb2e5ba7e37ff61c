/** The names by which a host chooses capabilities as tools: judged at its start. */
import type { Catalogue } from "../host/catalogue.js";
import type { McpOptions } from "../host/options.js";

/** The capabilities that are offered as tools. */
export const current = ({ capabilities }: Catalogue) => capabilities.filter(({ deprecated }) => !deprecated);
/** A group may be written as `aviation` or `aviation.*`. */
export const namesOf = (asked: readonly string[]) =>
  asked.map((name) => name.trim().replace(/\.\*$/, "")).filter(Boolean);

/** The first of the names that is neither a group nor an id. */
export function unknownTool(catalogue: Catalogue, asked: McpOptions["tools"]): string | undefined {
  if (asked === undefined || asked === "all") return undefined;
  const choices = new Set(current(catalogue).flatMap(({ id, group }) => [id, group]));
  return namesOf(asked).find((name) => !choices.has(name));
}
