/** Checks of the options of a call; a host's checks include them. */
import { anyOf, being, type Check, type ChecksOf, hidden, listOf, shape } from "../lib/options/check.js";
import { anObject, clock, count, flag, func, having, text } from "../lib/options/kinds.js";
import { withPlainErrors } from "../lib/plain-errors.js";
import type { OutboundOptions } from "./outbound-options.js";
import type { CallOptions } from "./types.js";
import type { WalletLimits, WalletOptions, WatchOptions } from "./wallets.js";

const hostName = text(
  'a host name such as "api.example.com", with a port where that is not 80 or 443',
  /^(?:[\w.-]+|\[[\da-f:.]+\]|[\p{L}\p{N}.-]+)(?::\d{1,5})?$/iu,
);

const OUTBOUND: ChecksOf<OutboundOptions> = {
  allowHosts: listOf(hostName),
  denyHosts: listOf(hostName),
  allowPrivate: flag,
  lookup: func(),
  resolve: func(),
};

const LIMITS: ChecksOf<WalletLimits> = { bytes: count(1) };

const WATCH: ChecksOf<WatchOptions> = {
  allow: func("a function of a capability"),
  pollRate: text('a decimal from 0 to 1 as text, such as "0.1"', /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/),
  minSeconds: count(300, 86_400),
};

/** One key, or a list of them during a rotation. */
function keys(must: string, is: (text: string) => boolean): Check {
  return hidden(`${must}, or a list of such, the current one first`, (value) => {
    const all = [value].flat();
    return all.length > 0 && all.every((one) => typeof one === "string" && is(one));
  });
}

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

const WALLETS: ChecksOf<WalletOptions> = {
  db: hidden("a Pool of pg, or have its query and connect: new pg.Pool({ connectionString })", (value) =>
    hasConnections(value),
  ),
  schema: text("a plain schema name: lower-case letters, digits and _", /^[a-z_][a-z0-9_]{0,62}$/),
  dataDir: text("the path of a folder"),
  limits: shape<WalletLimits>(LIMITS),
  secret: keys("at least 32 characters that cannot be guessed", (secret) => secret.length >= 32),
  signIn: flag,
  encryption: keys("32 random bytes in base64, as `openssl rand -base64 32` gives them", (key) =>
    BASE64_OF_32_BYTES.test(key),
  ),
  runner: flag,
  httpCallbacks: flag,
  watch: shape<WatchOptions>(WATCH),
};

const hasConnections = (value: unknown): boolean => {
  const { query, connect } = (value ?? {}) as { query?: unknown; connect?: unknown };
  return typeof query === "function" && typeof connect === "function";
};

/** The options object of a direct call. A host may also turn wallets on with the defaults, or leave them off. */
export const walletOptions = shape<WalletOptions>(WALLETS);
export const walletOptionsOfHost = shape<WalletOptions>(WALLETS, { or: [true, false] });

export const aCapability = being(
  "made by defineCapability",
  (value) => typeof value === "function" && "id" in value && "invoke" in value,
);

/** Options that a host may also set for all calls. */
export const SHARED = {
  fetch: func("a function such as the global fetch"),
  secrets: anObject,
  clock,
  cache: anyOf(
    being("false", (value) => value === false),
    having("false, or an object with get and set", "get", "set"),
  ),
  dataDir: text("the path of a folder"),
  logger: having("a logger with debug, info, warn and error, as pino has", "debug", "info", "warn", "error"),
  outbound: shape<OutboundOptions>(OUTBOUND),
} as const satisfies Partial<ChecksOf<CallOptions>>;

/** Options of one call, or of many: a signal belongs to one call. */
export const CALL: ChecksOf<Omit<CallOptions, "signal">> = {
  ...SHARED,
  wallets: walletOptions,
  wallet: text("a CAIP-10 account, or 1 to 128 of A-Za-z0-9._:-"),
  idempotencyKey: text(),
  capabilities: listOf(aCapability),
};

/**
 * The second argument of a capability. Additional members that a framework passes, such as a tool's `toolCallId`, are
 * ignored, so that frameworks can call a capability directly.
 */
export const callOptions = shape<CallOptions>(
  {
    ...CALL,
    signal: being("an AbortSignal", (value) => typeof (value as AbortSignal | null)?.aborted === "boolean"),
  },
  { extras: true },
);

/** Throws a TypeError that names what cannot work. */
export function readCallOptions(options: CallOptions): CallOptions {
  callOptions("options", options);
  return options.logger ? { ...options, logger: withPlainErrors(options.logger) } : options;
}
