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
  list: { options: { group: text, json: flag }, load: () => import("./commands/list.js") },
  search: { options: { limit: text, json: flag }, load: () => import("./commands/search.js") },
  describe: { options: { json: flag }, load: () => import("./commands/describe.js") },
  call: {
    options: {
      input: { ...text, short: "i" },
      url: text,
      json: flag,
      out: { ...text, short: "o" },
      trial: flag,
      "max-usd": text,
      "max-usd-per-day": text,
      "ask-above-usd": text,
      "accept-seller": flag,
      key: text,
    },
    load: () => import("./commands/call.js"),
  },
  serve: { options: { config: text, port: text, host: text, free: flag }, load: () => import("./commands/serve.js") },
  config: { options: {}, load: () => import("./commands/config.js") },
  proxy: { options: { config: text, port: text, host: text, free: flag }, load: () => import("./commands/proxy.js") },
  sandbox: { options: { port: text, config: text }, load: () => import("./commands/sandbox.js") },
  mcp: { options: { tools: text }, load: () => import("./commands/mcp.js") },
  init: {
    options: { template: text, framework: text, store: text, network: text },
    load: () => import("./commands/init.js"),
  },
  add: { options: { "dry-run": flag }, load: () => import("./commands/add.js") },
  completion: { options: {}, load: () => import("./commands/completion.js") },
  doctor: {
    options: {
      json: flag,
      config: text,
      live: flag,
      only: text,
      keys: flag,
      "max-usd": text,
      report: text,
      record: text,
    },
    load: () => import("./commands/doctor.js"),
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
