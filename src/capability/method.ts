import { packageVersion } from "../lib/packages/installed.js";

/** How an answer was computed, so that anybody can compute it again. */
export interface Method {
  /** The library, or `built-in` for code of this package. */
  engine: string;
  /** Version of the engine's package; null in a bundle, which has no package. */
  version: string | null;
  /** Release or date of the tables that it read; null if it read none. */
  data: string | null;
}

/**
 * The `meta` of an answer that was computed without asking anybody. The version of a library is a constant beside its
 * use, which a test compares with the package that is installed.
 *
 * @example
 * ```ts
 * return { item, meta: method({ engine: "semver", version: "7.8.6" }) };
 * return { item, meta: method({ data: "2026-08-15" }) }; // our own code with a table of that day
 * ```
 */
export const method = (of: { engine?: string; version?: string; data?: string } = {}): { method: Method } => ({
  method: {
    engine: of.engine ?? "built-in",
    version: of.version ?? (of.engine ? null : (packageVersion() ?? null)),
    data: of.data ?? null,
  },
});
