/** Names of prepared statements. */
import { createHash } from "node:crypto";

/** Every connection keeps the plans of all names. */
const MAX_NAMES = 200;
/**
 * A pooler between us and the server gave us a connection that does not know the name, or knows it already; or the
 * tables changed since. The transaction is repeated without names.
 */
export const NAMELESS = ["26000", "42P05", "0A000"];

/** Names for statements that are asked again and again, so that the server parses and plans each once a connection. */
export interface Names {
  of(text: string): string | undefined;
  /** After an error of names, there are no more of them. */
  heed(error: unknown): void;
}

export function createNames(): Names {
  const names = new Map<string, string>();
  let isOver = false;
  return {
    of(text) {
      if (isOver) return undefined;
      const name = names.get(text);
      if (name || names.size >= MAX_NAMES) return name;
      // The same text has the same name in all processes, because behind a pooler they share connections.
      const made = `coinslot_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
      names.set(text, made);
      return made;
    },
    heed(error) {
      // guard: wallets: a statement whose name is lost is asked without it | ||= -> = false && | sent
      isOver ||= NAMELESS.includes(String((error as { code?: unknown }).code));
    },
  };
}
