import type { Logger } from "./logger.js";

const wrapped = new WeakMap<Logger, Logger>();
const LEVELS = ["debug", "info", "warn", "error"] as const;

/**
 * The host's logger, with the error of each line also under `err` and as plain data: pino reads an error only there,
 * and loggers that write JSON, such as winston, would print it as `{}`.
 */
export function withPlainErrors(logger: Logger): Logger {
  const known = wrapped.get(logger);
  if (known) return known;
  const telling: Logger = Object.create(logger);
  for (const level of LEVELS)
    telling[level] = (facts, message) => {
      logger[level](explained(facts), message);
    };
  if (logger.child) telling.child = (facts) => withPlainErrors(logger.child?.(facts) ?? logger);
  wrapped.set(logger, telling);
  wrapped.set(telling, telling);
  return telling;
}

function explained(facts: object): object {
  if ("err" in facts) return facts;
  const error = Object.values(facts).find((fact) => fact instanceof Error);
  return error ? { ...facts, err: plainError(error) } : facts;
}

/** Errors are chained by their causes; a chain longer than this is cut. */
const MAX_CAUSES = 5;

function plainError(error: Error, depth = 0): object {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  // Without a constructor, whose name pino would print.
  return Object.assign(Object.create(null), {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(cause instanceof Error && depth < MAX_CAUSES ? { cause: plainError(cause, depth + 1) } : {}),
  });
}
