/** Reads the operations of an OpenAPI document, 3.0 or 3.1, as far as they can be sold. */
import type { JsonSchema } from "../capability/json-schema.js";
import {
  freeName,
  type InputField,
  isInputName,
  isOwnHeader,
  type OperationName,
  type OriginMethod,
  type OriginOperation,
  type Style,
} from "./operation.js";
import { followed, roomFor, type SchemaRoom, schemaReader } from "./schema.js";

export interface ReadDocument {
  title?: string;
  operations: OriginOperation[];
  /** Operations that cannot be sold, and why. */
  left: { operation: string; because: string }[];
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value.trim() ? value : undefined);

const METHODS: readonly OriginMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const MAX_OPERATIONS = 2000;
const MAX_FIELDS = 200;
/** Bound of texts in a path, a query or a header, where the document sets none. */
const MAX_TEXT = 2000;

/** Thrown for an operation that cannot be sold. */
class Unsold extends Error {}

/**
 * Reads the operations that are chosen. Throws a TypeError for anything but an OpenAPI document of these versions, and as
 * the choice does.
 */
export function readDocument(
  document: unknown,
  choose: (all: readonly OperationName[]) => (one: OperationName) => boolean = () => () => true,
): ReadDocument {
  if (!isObject(document)) throw new TypeError("The OpenAPI document must be an object.");
  const version = textOf(document.openapi);
  if (!version || !/^3\.[01](?:\.|$)/.test(version))
    throw new TypeError(`The OpenAPI document must be of version 3.0 or 3.1, not ${shownVersion(document)}.`);
  const title = isObject(document.info) ? textOf(document.info.title)?.slice(0, 100) : undefined;
  const read: ReadDocument = { ...(title ? { title } : {}), operations: [], left: [] };
  const given = operationsIn(document);
  if (given.length > MAX_OPERATIONS)
    throw new TypeError(`The OpenAPI document has more than ${MAX_OPERATIONS} operations.`);
  const chosen = given.filter(choose(given));
  const room = roomFor(chosen.length);
  for (const one of chosen) {
    try {
      read.operations.push(operationOf(document, one, room));
    } catch (error) {
      if (!(error instanceof Unsold)) throw error;
      read.left.push({ operation: `${one.method} ${one.path}`, because: error.message });
    }
  }
  return read;
}

function operationsIn(document: Members): Given[] {
  return Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, given]) => {
    const item = followed(document, given);
    if (!isObject(item) || !path.startsWith("/")) return [];
    return METHODS.flatMap((method) => {
      const operation = followed(document, item[method.toLowerCase()]);
      if (!isObject(operation)) return [];
      const id = textOf(operation.operationId);
      return [{ method, path, item, operation, ...(id ? { id } : {}) }];
    });
  });
}

const shownVersion = ({ openapi, swagger }: Members): string =>
  textOf(openapi)?.slice(0, 20) ?? (swagger === undefined ? "none" : `Swagger ${String(swagger).slice(0, 20)}`);

interface Given extends OperationName {
  item: Members;
  operation: Members;
}

function operationOf(
  document: Members,
  { method, path, id, item, operation }: Given,
  room: SchemaRoom,
): OriginOperation {
  const read = schemaReader(document, { isInput: true, nodes: room.input });
  const fields: InputField[] = [];
  const taken = new Set<string>();
  const add = (field: Omit<InputField, "name">, isOptional = false) => {
    const name = freeName(field.target, field.in, taken);
    if (!isInputName(name) || taken.has(name)) {
      if (isOptional) return;
      throw new Unsold(`its parameter "${field.target.slice(0, 60)}" has no name that an input can have`);
    }
    if (fields.length >= MAX_FIELDS) throw new Unsold(`it has more than ${MAX_FIELDS} parameters`);
    taken.add(name);
    fields.push({ ...field, name });
  };
  for (const parameter of parametersOf(document, item, operation)) {
    const field = parameterOf(document, parameter, read);
    if (field) add(field, !field.required);
  }
  const body = bodyOf(document, operation, read);
  for (const field of body.fields(taken)) add(field);
  const summary = textOf(operation.summary) ?? textOf(operation.description);
  return {
    method,
    path,
    ...(id ? { id } : {}),
    ...(summary ? { summary } : {}),
    keywords: Array.isArray(operation.tags)
      ? operation.tags.filter((tag): tag is string => typeof tag === "string" && tag.length < 60).slice(0, 10)
      : [],
    fields,
    body: body.kind,
    isOpen: body.isOpen,
    isDeprecated: operation.deprecated === true,
    ...answersOf(document, operation, room),
  };
}

/** Those of the operation replace those of its path. */
function parametersOf(document: Members, item: Members, operation: Members): Members[] {
  const known = new Map<string, Members>();
  for (const list of [item.parameters, operation.parameters])
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = followed(document, given);
      if (isObject(parameter)) known.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
    }
  return [...known.values()];
}

function parameterOf(
  document: Members,
  parameter: Members,
  read: (schema: unknown) => JsonSchema,
): Omit<InputField, "name"> | undefined {
  const { name, in: place, explode, style, content } = parameter;
  const target = textOf(name);
  // A cookie is a caller's session, which a gateway does not have.
  if (place === "cookie" && parameter.required !== true) return undefined;
  if (!target || (place !== "path" && place !== "query" && place !== "header"))
    throw new Unsold("it requires a parameter whose place is unknown, or a cookie");
  if (place === "header" && isOwnHeader(target)) return undefined;
  const media = isObject(content) ? Object.values(content)[0] : undefined;
  const schema = bounded(read(isObject(media) ? media.schema : parameter.schema));
  const description = textOf(parameter.description);
  if (description && !schema.description) schema.description = description.slice(0, MAX_TEXT / 2);
  const example = followed(document, parameter.example);
  if (example !== undefined && schema.default === undefined) schema.examples = [example];
  const written = media ? "json" : styleOf(place, schema, { explode, style });
  return { target, in: place, required: place === "path" || parameter.required === true, schema, style: written };
}

function styleOf(place: string, schema: JsonSchema, { explode, style }: { explode: unknown; style: unknown }): Style {
  const isForm = style === undefined || style === "form";
  if ([schema.type].flat().includes("array"))
    return place === "query" && explode !== false && isForm ? "repeated" : "comma";
  return style === "deepObject" || schema.properties ? "deep" : "json";
}

/** A text without a bound of its own gets one. */
export function bounded(schema: JsonSchema): JsonSchema {
  const isText = [schema.type ?? []].flat().includes("string");
  return isText && schema.maxLength === undefined && !schema.enum ? { ...schema, maxLength: MAX_TEXT } : schema;
}

interface Body {
  kind: OriginOperation["body"];
  isOpen: boolean;
  fields(taken: ReadonlySet<string>): Omit<InputField, "name">[];
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;.*)?$/i;

function bodyOf(document: Members, { requestBody }: Members, read: (schema: unknown) => JsonSchema): Body {
  const body = followed(document, requestBody);
  const nothing: Body = { kind: "json", isOpen: false, fields: () => [] };
  if (!isObject(body)) return nothing;
  const content = Object.entries(isObject(body.content) ? body.content : {});
  const found = content.find(([type]) => JSON_TYPE.test(type)) ?? content.find(([type]) => FORM_TYPE.test(type));
  const isRequired = body.required === true;
  if (!found) {
    if (isRequired) throw new Unsold("it takes a body that is neither JSON nor a form");
    return nothing;
  }
  const [type, media] = found;
  const kind = JSON_TYPE.test(type) ? "json" : "form";
  const schema = read(isObject(media) ? media.schema : {});
  if (isObject(media) && isObject(media.example)) schema.examples = [media.example];
  if (kind === "form" && !schema.properties) throw new Unsold("its form has no known fields");
  return { kind, isOpen: false, fields: (taken) => bodyFields(schema, { isRequired, taken, kind }) };
}

/** The body's own fields where they fit beside the parameters, else the whole as `body`. */
function bodyFields(
  schema: JsonSchema,
  { isRequired, taken, kind }: { isRequired: boolean; taken: ReadonlySet<string>; kind: OriginOperation["body"] },
): Omit<InputField, "name">[] {
  const { properties, required = [], additionalProperties } = schema;
  const names = Object.keys(properties ?? {});
  const fits =
    properties && isRequired && !additionalProperties && names.every((name) => isInputName(name) && !taken.has(name));
  const example = isObject(schema.examples) ? undefined : (schema.examples as Members[] | undefined)?.[0];
  if (properties && (fits || kind === "form"))
    return names.map((target) => {
      const one = properties[target] ?? {};
      const told = example && Object.hasOwn(example, target) ? { ...one, examples: [example[target]] } : one;
      return { target, in: "body", required: required.includes(target), schema: told, style: "json" };
    });
  return [{ target: "body", in: "body", required: isRequired, schema, style: "json", isWhole: true }];
}

/** Media types of the answers that are sold: those of 2xx. */
function answersOf(
  document: Members,
  { responses }: Members,
  { answer: nodes }: SchemaRoom,
): Pick<OriginOperation, "answers" | "answerSchema"> {
  const good = Object.entries(isObject(responses) ? responses : {}).filter(([status]) =>
    /^2(?:\d\d|XX)$/i.test(status),
  );
  const contents = good.flatMap(([, given]) => {
    const response = followed(document, given);
    return Object.entries(isObject(response) && isObject(response.content) ? response.content : {});
  });
  const types = contents
    .map(([type]) => type.split(";")[0]?.trim().toLowerCase() ?? "")
    .filter((type) => MEDIA.test(type));
  const json = contents.find(([type]) => JSON_TYPE.test(type))?.[1];
  const answers = new Set(types.map((type) => (JSON_TYPE.test(type) ? "application/json" : type)));
  return {
    answers: [...answers].slice(0, MAX_TYPES),
    ...(isObject(json) ? { answerSchema: () => schemaReader(document, { isInput: false, nodes })(json.schema) } : {}),
  };
}

const MEDIA = /^(?:\*|[\w.+-]+)\/(?:\*|[\w.+-]+)$/;
const MAX_TYPES = 20;
