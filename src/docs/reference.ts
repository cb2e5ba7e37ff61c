/** Everything that the page of one endpoint tells, as one small document that is read when the page is opened. */
import { inputSchema, isBinary, type JsonSchema, jsonFileSchema, outputSchema } from "../capability/json-schema.js";
import type { Source } from "../capability/output.js";
import type { Terms } from "../capability/terms.js";
import type { AnyCapability } from "../capability/types.js";
import { errorsOf, type ListedError } from "../discovery/openapi-components.js";
import { CapabilityError } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import { type ExampleAnswer, exampleAnswer } from "./example-answer.js";

export interface Reference {
  id: string;
  input: JsonSchema;
  example: unknown;
  answer: {
    /** Media types of the answer. */
    types: readonly string[];
    /** Of the JSON, without the envelope of a normalized answer; absent for files and where none is declared. */
    schema?: JsonSchema;
    /** Whether the JSON is `data` beside `meta`. */
    envelope: boolean;
    /** Absent where it would have to ask an upstream. */
    example?: ExampleAnswer;
  };
  errors: ListedError[];
  source: Source;
  terms?: Terms;
  timeoutSeconds: number;
  /** Whether a run opens no connection. */
  offline: boolean;
}

/** Throws NOT_FOUND for an unknown id. */
export async function referenceOf(catalogue: Catalogue, id: string): Promise<Reference> {
  const capability = catalogue.byId.get(id);
  if (!capability) throw new CapabilityError("NOT_FOUND", "No endpoint has this id.");
  const terms = catalogue.termsOf(capability);
  const schema = isBinary(capability) ? jsonFileSchema(capability) : outputSchema(capability);
  const example = await exampleAnswer(catalogue, capability);
  return {
    id,
    input: inputSchema(capability),
    example: capability.example,
    answer: {
      types: typesOf(capability),
      ...(schema ? { schema } : {}),
      envelope: !isBinary(capability) && capability.shape === "normalized",
      ...(example ? { example } : {}),
    },
    errors: errorsOf(capability, catalogue).filter(({ status }) => catalogue.paid || status !== 402),
    source: capability.source,
    ...(terms ? { terms } : {}),
    timeoutSeconds: Math.ceil(capability.timeoutMs / 1000),
    offline: capability.offline === true,
  };
}

const typesOf = (capability: AnyCapability): readonly string[] =>
  isBinary(capability) ? capability.contentTypes : ["application/json"];
