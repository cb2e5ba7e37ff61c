/** The catalogue as text for language models: https://llmstxt.org. */
import type { Terms } from "../capability/terms.js";
import type { AnyCapability } from "../capability/types.js";
import type { Catalogue } from "../host/catalogue.js";
import { availabilityOf, listed } from "./availability.js";
import { type Param, paramsOf } from "./directory.js";
import { DEFAULT_DESCRIPTION, guidance } from "./guidance.js";
import { priceText } from "./price-text.js";

/** `/llms.txt`: every endpoint on one line, by group. `origin` is the public address of the service. */
export function llmsText(catalogue: Catalogue, origin: string, options: Listed = {}): string {
  const groups = groupsOf(catalogue, options).map(
    ([group, capabilities]) =>
      `## ${group}\n\n${capabilities.map((capability) => lineOf(catalogue, capability, origin)).join("\n")}`,
  );
  const base = origin + catalogue.basePath;
  const optional = [
    `- [OpenAPI](${base}/openapi.json): every endpoint with its schemas; one group with ?group=`,
    `- [The long form of this text](${base}/llms-full.txt): parameters and examples`,
  ];
  return [head(catalogue), ...groups, `## Optional\n\n${optional.join("\n")}`].join("\n\n").concat("\n");
}

/** `/llms-full.txt`: the same with parameters, examples and sources. */
export function llmsFullText(catalogue: Catalogue, origin: string, options: Listed = {}): string {
  const groups = groupsOf(catalogue, options).map(
    ([group, capabilities]) =>
      `## ${group}\n\n${capabilities.map((capability) => describe(catalogue, capability, origin)).join("\n\n")}`,
  );
  return [head(catalogue), ...groups].join("\n\n").concat("\n");
}

function head(catalogue: Catalogue): string {
  const { name, description = DEFAULT_DESCRIPTION } = catalogue.brand;
  return `# ${oneLine(name)}\n\n> ${oneLine(description)}\n\n${guidance(catalogue)}`;
}

function groupsOf(catalogue: Catalogue, options: Listed): [string, AnyCapability[]][] {
  const groups = new Map<string, AnyCapability[]>();
  for (const capability of listed(catalogue, options)) {
    if (capability.deprecated) continue;
    groups.set(capability.group, [...(groups.get(capability.group) ?? []), capability]);
  }
  return [...groups];
}

/** With `all`, includes unavailable endpoints. */
interface Listed {
  all?: boolean;
}

/** The price, or a note that the endpoint is unavailable. */
function priceOf(catalogue: Catalogue, capability: AnyCapability): string {
  const { reason } = availabilityOf(catalogue, capability);
  if (reason !== undefined) return `not available: ${oneLine(reason).replace(/\.$/, "")}`;
  return catalogue.paid ? priceText(catalogue.priceOf(capability)) : "free";
}

function lineOf(catalogue: Catalogue, capability: AnyCapability, origin: string): string {
  const { id, method, summary } = capability;
  const path = catalogue.pathOf(capability);
  return `- [${id}](${origin}${path}): ${method}, ${priceOf(catalogue, capability)}. ${oneLine(summary)}`;
}

function describe(catalogue: Catalogue, capability: AnyCapability, origin: string): string {
  const { id, method, summary, source, example } = capability;
  const params = paramsOf(capability);
  return [
    `### ${id}`,
    "",
    `${oneLine(summary)} ${priceOf(catalogue, capability)}.`,
    "",
    ...params.map(lineOfParam),
    ...(params.length > 0 ? [""] : []),
    `Example: \`${exampleCall(method, origin + catalogue.pathOf(capability), example)}\``,
    "",
    `Source: ${source.provider}. License: ${source.license}.${limitsOf(catalogue.termsOf(capability))}`,
  ].join("\n");
}

/** Terms for buyers who pass an answer on. */
function limitsOf(terms: Terms | undefined): string {
  if (!terms) return "";
  const limit = terms.resale === "allowed" ? [] : [oneLine(terms.note)];
  const line = terms.attribution === null ? [] : [`To be shown with it: “${oneLine(terms.attribution)}”.`];
  return [...limit, ...line].map((sentence) => ` ${sentence}`).join("");
}

function lineOfParam({ name, type, required, description = "", enum: choices, default: preset }: Param): string {
  const facts = [
    type,
    ...(required ? ["required"] : []),
    ...(choices ? [`one of ${choices.join(", ")}`] : []),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
  return `- \`${name}\` (${facts.join("; ")}): ${oneLine(description)}`;
}

function exampleCall(method: string, url: string, example: Record<string, unknown>): string {
  if (method === "POST") return `${method} ${url} ${JSON.stringify(example)}`;
  const query = new URLSearchParams(
    Object.entries(example).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size > 0 ? `${method} ${url}?${query}` : `${method} ${url}`;
}

/** One line, so that a host's text cannot begin a heading or a list. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
