import type { Terminal } from "./terminal.js";

/** Arguments of every command. */
export interface Invocation {
  terminal: Terminal;
  words: string[];
  options: Record<string, string | boolean | undefined>;
  env: Record<string, string | undefined>;
  /** All commands with their options. */
  commands: Readonly<Record<string, { options: object }>>;
}
