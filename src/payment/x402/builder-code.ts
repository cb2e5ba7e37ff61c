/**
 * The extension `builder-code`: who built the service and its buyer, which a facilitator writes after the call data of a
 * settlement. The buyer adds codes of its own; the service's are added here, whatever the buyer sent.
 */
import { PaymentRefused } from "./refusal.js";

const BUILDER_CODE = "builder-code";

/** Codes by which settlements on chain are attributed. Each is 1 to 32 of `a-z0-9_`. */
export interface BuilderCodeOptions {
  /** The code of this service. */
  app: string;
  /** Codes of others who serve, at most five. */
  services?: readonly string[];
}

const CODE = /^[a-z0-9_]{1,32}$/;
/** Of a buyer, and of the service. */
const MOST_CODES = 5;
const code = { type: "string", pattern: CODE.source };

/** The codes of one side, as the extension has them. */
interface BuilderCodes {
  a?: string;
  s: string[];
}

/** The declaration in a 402. */
export const builderCode = ({ app, services = [] }: BuilderCodeOptions): Record<string, unknown> => ({
  [BUILDER_CODE]: {
    info: { a: app, ...(services.length > 0 ? { s: services } : {}) },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: code, w: code, s: { type: "array", maxItems: 2 * MOST_CODES + 1, items: code } },
      additionalProperties: false,
    },
  },
});

/** The codes that a buyer echoes; others than codes are left out. The specification has no `info`, the official client has. */
export function readBuilderCodes(sent: Record<string, unknown> | undefined): BuilderCodes | undefined {
  if (!sent) return undefined;
  const { a, s } = (isObject(sent.info) ? sent.info : sent) as { a?: unknown; s?: unknown };
  const codes = (Array.isArray(s) ? s.slice(0, 2 * MOST_CODES) : [s]).filter(isCode);
  return { ...(a === undefined ? {} : { a: String(a).slice(0, 64) }), s: codes };
}

/** The extension for the facilitator. Throws PaymentRefused if the buyer names another service. */
export function builderCodesOf(
  { app, services = [] }: BuilderCodeOptions,
  sent: BuilderCodes | undefined,
): Record<string, unknown> {
  if (sent?.a !== undefined && sent.a !== app)
    throw new PaymentRefused(
      "PAYMENT_MISMATCH",
      `extension_echo_mismatch: the payment's ${BUILDER_CODE} names another service than "${app}".`,
    );
  const theirs = (sent?.s ?? []).filter((one) => !services.includes(one)).slice(0, MOST_CODES);
  const all = [...new Set([...theirs, ...services])];
  return { [BUILDER_CODE]: { info: { a: app, ...(all.length > 0 ? { s: all } : {}) } } };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isCode = (value: unknown): value is string => typeof value === "string" && CODE.test(value);
