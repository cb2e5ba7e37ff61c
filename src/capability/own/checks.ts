/**
 * Checks of capabilities and upstreams that hosts define. Our own are checked by tests instead, so that they load
 * faster.
 */
import { anyOf, being, byName, type Check, type ChecksOf, listOf, needed, shape } from "../../lib/options/check.js";
import { anObject, count, flag, func, has, having, off, oneOf, text, webAddress } from "../../lib/options/kinds.js";
import type { Definition } from "../definition.js";
import type { Source } from "../output.js";
import type { Provider, ProviderSecret, ProviderSetting } from "../provider.js";
import type { Terms } from "../terms.js";
import type { LiveExample, Settings } from "../types.js";

const NOTHING_SET: Settings = { secret: () => undefined, setting: () => undefined };

const anyText = being("text", (value) => typeof value === "string");
const positive = being("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0);
const names = listOf(text());

const source = shape<Source>({
  provider: needed(text(), "who the source is."),
  url: needed(anyText, "where the source is."),
  license: needed(text(), "the licence of its data."),
  attribution: text(),
});

const terms = shape<Terms>({
  resale: needed(oneOf("allowed", "share-alike", "limited", "forbidden", "unknown"), "whether answers may be sold."),
  attribution: anyOf(being("text or null", (value) => value === null || typeof value === "string")),
  note: needed(anyText, "what is forbidden or demanded."),
  url: needed(anyText, "where the terms are published."),
  checkedAt: being("a day such as 2026-01-31, or null", (value) =>
    value === null ? true : typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value),
  ),
});

const secret = shape<ProviderSecret>({
  name: needed(text(), "the name of the setting."),
  required: needed(flag, "whether nothing works without it."),
  in: needed(anObject, "how the key travels."),
  keyUrl: webAddress,
  free: flag,
});

const setting = shape<ProviderSetting>({
  name: needed(text(), "the name of the setting."),
  what: needed(text(), "what it changes."),
  keyUrl: webAddress,
  free: flag,
});

const quota = shape<NonNullable<Provider["quota"]>>({
  requests: needed(count(1), "how many."),
  perMs: needed(count(1), "in how many milliseconds."),
});

const BASE = { baseUrl: webAddress, quota, perSecond: positive, concurrency: count(1) };

const PROVIDER: ChecksOf<Provider> = {
  ...BASE,
  name: needed(text(), "its name in results."),
  url: needed(anyText, "its home page, for people."),
  license: needed(text(), "the licence of its data."),
  baseUrl: needed(webAddress, "the address that requests are relative to."),
  terms: needed(terms, "its terms for reselling answers."),
  secret,
  packages: names,
  settings: listOf(setting),
  withKey: shape<NonNullable<Provider["withKey"]>>(BASE),
  agent: anyOf(oneOf("browser"), shape<{ contact: string }>({ contact: needed(text(), "the name of a setting.") })),
  headers: byName(anyText),
  redirectHosts: names,
  followsRedirects: being("false, or left out", (value) => value === false),
  timeoutMs: count(1),
  maxBytes: count(1),
  refusals: byName(text()),
  errorIn: func(),
  inventory: func(),
};

export const providerOptions = shape<Provider>(PROVIDER);

const price: Check = (name, value) => {
  if (typeof value !== "string") dynamicPrice(name, value);
};
const dynamicPrice = shape<{ min: string; max: string; quote: unknown }>({
  min: needed(anyText, "the lowest price of a call."),
  max: needed(anyText, "the highest price of a call."),
  quote: needed(func("a function of the input that resolves to millionths of a dollar"), "the price of an input."),
});

const time = being('a Date, or a time such as "2027-01-01"', (value) => {
  const at = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(at);
});

const schema = being(
  "a schema of zod, or a function that makes one",
  (value) => typeof value === "function" || has(value, ["safeParse"]),
);

// biome-ignore lint/suspicious/noExplicitAny: the names alone matter.
const DEFINITION: ChecksOf<Definition<any, any, any>> = {
  id: needed(text(), "a group and a name, such as convert.unit."),
  method: oneOf("GET", "POST"),
  summary: needed(text("one sentence of at most 300 characters", /^(?=.*\S).{1,300}$/s), "one sentence."),
  keywords: names,
  price: needed(price, 'decimal US dollars, such as "0.001".'),
  composeQuote: func(),
  billing: oneOf("exact", "upto"),
  estimate: func(),
  batchable: flag,
  deprecated: flag,
  deprecation: time,
  sunset: time,
  offline: flag,
  requires: names,
  packages: names,
  provider: shape<Provider>(PROVIDER),
  origins: (name, value) => listOf(anObject)(name, typeof value === "function" ? value(NOTHING_SET) : value),
  source,
  facts: func(),
  input: needed(schema, "a function that makes the schema of the input."),
  output: needed(having("made by one, rows, legacy or binary", "schema", "finish"), "the shape of the result."),
  example: needed(anObject, "an input that works."),
  live: anyOf(
    off,
    shape<LiveExample>({ input: anyOf(func(), anObject), freshDays: count(0), metered: flag, mayBeEmpty: flag }),
  ),
  timeoutMs: count(1),
  check: func(),
  read: func(),
  wallet: anyOf(func(), anObject),
  precheck: func(),
  prepare: func(),
  run: func(),
  stream: func("an async generator function"),
  factsIn: oneOf("usage"),
  maxBodyBytes: count(1),
  anyJson: names,
  menu: anObject,
  parts: func(),
  pixels: func(),
  warmUp: func(),
};

export const capabilityDefinition = shape<Definition<never, never, never>>(DEFINITION as never);
