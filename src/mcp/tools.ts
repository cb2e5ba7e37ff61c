/** The tools of a catalogue: three that reach every capability, and capabilities as separate tools. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { inputSchema, outputSchema } from "../capability/json-schema.js";
import type { AnyCapability } from "../capability/types.js";
import { availabilityOf, availableFirst, listed } from "../discovery/availability.js";
import { toolName } from "../discovery/export-name.js";
import { priceText } from "../discovery/price-text.js";
import { invalid } from "../errors.js";
import { type Catalogue, trialsOf } from "../host/catalogue.js";
import type { McpOptions } from "../host/options.js";
import { current, namesOf, unknownTool } from "./tool-names.js";

/** With more tools than this, models choose worse. */
const MANY = 40;

const SEARCH = "search_capabilities";
const DESCRIBE = "describe";
const CALL = "call_capability";
export const BUILT_IN = { SEARCH, DESCRIBE, CALL } as const;

/** The capabilities that are separate tools. Throws INVALID_INPUT naming an unknown group or id. */
export function plainTools(catalogue: Catalogue, asked: McpOptions["tools"]): readonly AnyCapability[] {
  const known = availableFirst(catalogue, current(catalogue), (one) => one);
  if (asked === "all") return known;
  if (asked === undefined) return known.length <= MANY ? known : [];
  const unknown = unknownTool(catalogue, asked);
  if (unknown !== undefined) throw invalid("tools", `unknown group or capability "${unknown}"`);
  const names = namesOf(asked);
  return known.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

/** The price of a call, in words for a model. */
const costOf = (catalogue: Catalogue, capability: AnyCapability): string =>
  catalogue.paid && !capability.ownersOnly ? priceText(catalogue.priceOf(capability)) : "free";

function trialText(trialsPerHour: number): string {
  if (trialsPerHour === 0) return "";
  return trialsPerHour === 1 ? " One call an hour is free." : ` ${trialsPerHour} calls an hour are free.`;
}

export function describeTool(catalogue: Catalogue, capability: AnyCapability): Tool {
  const { reason } = availabilityOf(catalogue, capability);
  const cost = capability.ownersOnly
    ? " Free, for the owner of an account, by the key of this connection."
    : catalogue.paid
      ? ` Costs ${costOf(catalogue, capability)} a call, by x402.${trialText(trialsOf(catalogue, capability))}`
      : "";
  return {
    name: toolName(capability.id),
    title: capability.id,
    description: `${capability.summary}${reason === undefined ? cost : ` Not available here: ${reason}`}`,
    inputSchema: { ...inputSchema(capability), type: "object" } as Tool["inputSchema"],
    annotations: { title: capability.id, openWorldHint: true },
  };
}

/** All facts that a model needs for a call. */
export function descriptionOf(catalogue: Catalogue, capability: AnyCapability): Record<string, unknown> {
  const { id, summary, method, source, example, deprecated, contentTypes } = capability;
  return {
    id,
    summary,
    price: costOf(catalogue, capability),
    freeCallsPerHour: trialsOf(catalogue, capability),
    available: true,
    ...availabilityOf(catalogue, capability),
    ...(deprecated ? { deprecated } : {}),
    method,
    path: catalogue.publicPath(catalogue.pathOf(capability)),
    source,
    contentTypes,
    input: inputSchema(capability),
    example,
    output: outputSchema(capability),
  };
}

/** The three tools that reach a catalogue of any size. */
export function builtInTools(catalogue: Catalogue): Tool[] {
  const { brand } = catalogue;
  const capabilities = listed(catalogue);
  const id = { type: "string", description: 'As search_capabilities gives it, such as "convert.unit"' };
  return [
    {
      name: SEARCH,
      title: "Search capabilities",
      description: `Finds, among the ${capabilities.length} capabilities of ${brand.name}, those for a task in plain words. Free.`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What you want to do, in a few words" },
          limit: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "How many at most" },
        },
        required: ["query"],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    {
      name: DESCRIBE,
      title: "Describe a capability",
      description: "Describes a capability: its input with an example, its output, source and price. Free.",
      inputSchema: { type: "object", properties: { id }, required: ["id"], additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    {
      name: CALL,
      title: "Call a capability",
      description: `Runs a capability with an input as shown by describe.${catalogue.paid ? ` Costs what describe says, by x402.${trialText(catalogue.trialsPerHour)}` : ""}`,
      inputSchema: {
        type: "object",
        properties: { id, input: { type: "object", description: "The capability's input", default: {} } },
        required: ["id"],
        additionalProperties: false,
      },
      annotations: { openWorldHint: true },
    },
  ];
}
