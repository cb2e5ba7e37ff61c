/** Options of `proxied`, and their checks. */
import { anyOf, byName, type Check, type ChecksOf, hidden, listOf, needed, shape } from "../lib/options/check.js";
import { anObject, count, flag, oneOf, text, usd } from "../lib/options/kinds.js";

/**
 * A text that is not shown anywhere: a template with the names of settings, `"Bearer ${API_KEY}"`, the name of one,
 * `{ env: "API_KEY" }`, or the text itself, `{ text: "…" }`.
 */
export type SecretText = string | { env: string } | { text: string };

/** A part of each request to the origin by which the origin lets the gateway in. */
export type ProxyCredential =
  | { header: string; value: SecretText }
  | { query: string; value: SecretText }
  | { basic: { user: SecretText; password: SecretText } };

/** A part of an origin's API that is sold. Of an operation of the OpenAPI document, what is set here replaces its own. */
export interface ProxyRoute {
  /** Default GET. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the origin's address, with parameters in braces: `/cities/{city}/forecast`. */
  path: string;
  /** The name after the group's: `forecast`. Default: the operation's id, or method and path. */
  name?: string;
  /** Decimal US dollars. Default: the price of the gateway. */
  price?: string;
  /** One sentence for people and models. */
  summary?: string;
  /** Search words beyond those of the summary. */
  keywords?: readonly string[];
  /**
   * JSON Schema of the input: an object whose properties are those of the path, of the query (GET, DELETE) and of the
   * body (others). `in` of a property chooses: `"query"`, `"header"` or `"body"`.
   */
  input?: object;
  /** An input that works, for documents. Default: made of the schema. */
  example?: object;
  /** Media types of its answers, such as `["image/png"]`. Default: those of the document, else any. */
  answers?: readonly string[];
  /** True if the origin can answer in events or lines, which callers get as they come. */
  stream?: boolean;
  /** The body's field that asks the origin for a stream, set for callers that read one. */
  streamField?: string;
  /** Whether an hourly trial is free. Default: true for GET, false for what may change something. */
  trial?: boolean;
  /**
   * True if the origin may get a POST or PATCH of one payment again, because it heeds `Idempotency-Key`. Default false:
   * it gets each once.
   */
  repeatable?: boolean;
  /** Time limit of a call in milliseconds. Default that of the gateway. */
  timeoutMs?: number;
  /** Largest answer in bytes. Default that of the gateway. */
  maxBytes?: number;
  /** Largest request body in bytes. Default: the host's. */
  maxBodyBytes?: number;
}

export interface ProxyOptions {
  /** The address below which the paths are: `https://api.example.com/v1`. Plain http and private addresses are allowed. */
  origin: string;
  /** The group of its endpoints, in small letters: `weather`. Part of their paths and ids. */
  group: string;
  /** The name of the source in documents. Default: the title of the OpenAPI document, else the group. */
  title?: string;
  /** Address of a page about the source, for people. The origin's own address is shown nowhere. */
  homepage?: string;
  /** The licence of its answers, as documents tell it. Default "the source's own". */
  license?: string;
  /** Added to each request to the origin. */
  credentials?: ProxyCredential | readonly ProxyCredential[];
  /** More headers of each request to the origin, which are no secrets. */
  headers?: Readonly<Record<string, string>>;
  /** The origin's OpenAPI document, 3.0 or 3.1, as an object. */
  openapi?: object;
  /** Decimal US dollars: the price of a route without its own, and of every operation of the document. */
  price?: string;
  /** Operations of the document that are sold: operation ids, or `"GET /pets/*"`. Default: all that have a price. */
  include?: readonly string[];
  /** Operations that are not sold, by the same names. */
  exclude?: readonly string[];
  routes?: readonly ProxyRoute[];
  /** False: redirects to the same origin are not followed, either. Others never are. */
  redirects?: boolean;
  /** Default 30,000. */
  timeoutMs?: number;
  /** Default 5 MB. */
  maxBytes?: number;
  /**
   * Requests to the origin at once, of this process; more wait for their turn as long as their time allows, and up to 500 of
   * them. One payer has at most three quarters. Default 200.
   */
  concurrency?: number;
}

/** Longest time of a call, and its largest answer, that a gateway may allow. */
const MAX_MS = 600_000;
const MAX_BYTES = 64 * 1024 * 1024;

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const PLACES = /\$\{[A-Za-z_]\w*\}/g;
const SETTING = /^[A-Za-z_]\w*$/;
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A name in braces that is none of a setting would be sent as it stands. */
const isTemplate = (value: unknown): boolean => isText(value) && !value.replace(PLACES, "").includes("$" + "{");

function isSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isTemplate(value);
  const { env, text: own, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || (env === undefined) === (own === undefined)) return false;
  return own === undefined ? isText(env) && SETTING.test(env) : isText(own);
}

const secretText: Check = hidden(
  '{ env: "API_KEY" }, a text with such names as Bearer $' + "{API_KEY}, or { text }",
  isSecret,
);

const credential = anyOf(
  shape<{ query: string; value: SecretText }>({
    query: needed(text(), "the name of the parameter."),
    value: needed(secretText, "what is sent."),
  }),
  shape<{ basic: object }>({
    basic: needed(
      shape<{ user: SecretText; password: SecretText }>({
        user: needed(secretText, "who asks."),
        password: needed(secretText, "its password."),
      }),
      "user and password.",
    ),
  }),
  shape<{ header: string; value: SecretText }>({
    header: needed(text("the name of a header", TOKEN), "the name of the header."),
    value: needed(secretText, "what is sent."),
  }),
);

const path = text('a path that begins with a slash, such as "/cities/{city}"', /^\/[^\s?#\\]*$/);
const mediaType = text('a media type, such as "image/png" or "image/*"', /^(?:\*|[\w.+-]+)\/(?:\*|[\w.+-]+)$/);

const ROUTE: ChecksOf<ProxyRoute> = {
  method: oneOf("GET", "POST", "PUT", "PATCH", "DELETE"),
  path: needed(path, "where it is at the origin."),
  name: text('1 to 39 small letters, digits and hyphens, such as "forecast"', /^(?=.{1,39}$)[a-z0-9]+(?:-[a-z0-9]+)*$/),
  price: usd(),
  summary: text("one sentence of at most 300 characters", /^(?=.*\S).{1,300}$/s),
  keywords: listOf(text()),
  input: anObject,
  example: anObject,
  answers: listOf(mediaType, { least: 1, most: 20 }),
  stream: flag,
  streamField: text(),
  trial: flag,
  repeatable: flag,
  timeoutMs: count(1, MAX_MS),
  maxBytes: count(1, MAX_BYTES),
  maxBodyBytes: count(1, MAX_BYTES),
};

/** An address with a user in it would be shown by errors of the platform. */
const originAddress = hidden(
  "an address such as https://api.example.com/v1, without user, query and fragment",
  (value) => {
    if (typeof value !== "string" || !/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#@\\]*)?$/i.test(value)) return false;
    try {
      new URL(value);
      return true;
    } catch {
      return false;
    }
  },
);

const OPTIONS: ChecksOf<ProxyOptions> = {
  origin: needed(originAddress, "the address of the API, such as https://api.example.com/v1."),
  group: needed(
    text('1 to 24 small letters, digits and hyphens, such as "weather"', /^(?=.{1,24}$)[a-z0-9]+(?:-[a-z0-9]+)*$/),
    "the group of its endpoints.",
  ),
  title: text("text of at most 100 characters", /^(?=.*\S).{1,100}$/),
  license: text("text of at most 200 characters", /^(?=.*\S).{1,200}$/),
  homepage: text("an address that begins with https:// or http://", /^https?:\/\/[^\s/]+/i),
  credentials: (name, value) => (Array.isArray(value) ? listOf(credential, { most: 10 }) : credential)(name, value),
  headers: byName(text("printable ASCII text", /^[\x20-\x7e]+$/), (name) =>
    TOKEN.test(name) ? undefined : "cannot be the name of a header.",
  ),
  openapi: anObject,
  price: usd(),
  include: listOf(text()),
  exclude: listOf(text()),
  routes: listOf(shape<ProxyRoute>(ROUTE), { most: 1000 }),
  redirects: flag,
  timeoutMs: count(1, MAX_MS),
  maxBytes: count(1, MAX_BYTES),
  concurrency: count(1, 10_000),
};

export const proxyOptions = shape<ProxyOptions>(OPTIONS);
