/** An operation of an origin: what its document, or its route, says of it. */
import type { JsonSchema } from "../capability/json-schema.js";

export type OriginMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How a value is written in a query: lists as repeated names or with commas, objects as `name[key]`, others as JSON. */
export type Style = "repeated" | "comma" | "deep" | "json";

/** A field of a caller's input, and where it goes. */
export interface InputField {
  /** Its name in the input. */
  name: string;
  /** Its name at the origin. */
  target: string;
  in: "path" | "query" | "header" | "body";
  required: boolean;
  schema: JsonSchema;
  style: Style;
  /** True for a body that is one value, sent as it is. */
  isWhole?: true;
}

export interface OriginOperation {
  method: OriginMethod;
  path: string;
  /** Its id in the document. */
  id?: string;
  summary?: string;
  keywords: string[];
  fields: InputField[];
  /** How the body is written. */
  body: "json" | "form";
  /** True if the body takes fields that are not declared. */
  isOpen: boolean;
  /** Media types of its answers; empty if nobody says. */
  answers: string[];
  /** Schema of an answer in JSON, read when a document needs it. */
  answerSchema?(): JsonSchema;
  isDeprecated?: boolean;
}

/** The names of an operation in its document. */
export type OperationName = Pick<OriginOperation, "method" | "path" | "id">;

/** May change something at the origin. */
export const hasEffects = ({ method }: Pick<OriginOperation, "method">): boolean => method !== "GET";

/** Done twice it may have done two things (RFC 9110 section 9.2.2). */
export const isOnce = ({ method }: Pick<OriginOperation, "method">): boolean => method === "POST" || method === "PATCH";

/** Names that a query cannot carry as input, because the protocol reads them. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(["trial", "sign", "x402Version"]);
const NAME = /^[A-Za-z_$][\w.$[\]-]{0,63}$/;

/** Whether a name can be one of an input. */
export const isInputName = (name: string): boolean => NAME.test(name) && !["__proto__", "constructor"].includes(name);

/** The name of a field beside others: where it is taken, with its place before it. */
export function freeName(target: string, place: InputField["in"], taken: ReadonlySet<string>): string {
  if (!taken.has(target) && !OF_PROTOCOL.has(target)) return target;
  return `${place}_${target}`;
}

/** Headers that a gateway sets itself, or that steer the connection: no caller's value goes there. */
export const isOwnHeader = (name: string): boolean =>
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|authorization|cookie2?|set-cookie2?|accept|accept-encoding|idempotency-key|user-agent|via|forwarded|origin|referer|x-real-ip|x-http-method.*|x-method-override|(?:proxy|x-forwarded|x-payment|payment|x-402|sec|x-original|x-rewrite)-?.*)$/i.test(
    name,
  );
