/** The commands: their arguments, and their modules, which are loaded when called. */
import type { ParseArgsConfig } from "node:util";
import type { Invocation } from "./invocation.js";

export interface Command {
  options: NonNullable<ParseArgsConfig["options"]>;
  load(): Promise<{ run(invocation: Invocation): Promise<number | undefined> }>;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

export const COMMANDS = {
  list: { options: { group: text, json: flag }, load: () => import("./list.js") },
  search: { options: { limit: text, json: flag }, load: () => import("./search.js") },
  describe: { options: { json: flag }, load: () => import("./describe.js") },
  call: {
    options: {
      input: { ...text, short: "i" },
      url: text,
      json: flag,
      out: { ...text, short: "o" },
      trial: flag,
      "max-usd": text,
      key: text,
    },
    load: () => import("./call.js"),
  },
  serve: { options: { port: text, host: text, free: flag }, load: () => import("./serve.js") },
  sandbox: { options: { port: text }, load: () => import("./sandbox.js") },
  mcp: { options: { tools: text }, load: () => import("./mcp.js") },
  init: { options: { framework: text, store: text, network: text }, load: () => import("./init.js") },
  add: { options: { "dry-run": flag }, load: () => import("./add.js") },
  completion: { options: {}, load: () => import("./completion.js") },
  doctor: {
    options: { json: flag, live: flag, only: text, keys: flag, "max-usd": text, report: text, record: text },
    load: () => import("./doctor.js"),
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
