import type { Terminal } from "./terminal.js";

/** What every command gets. */
export interface Invocation {
  terminal: Terminal;
  words: string[];
  options: Record<string, string | boolean | undefined>;
  env: Record<string, string | undefined>;
}
