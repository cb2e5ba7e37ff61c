import { type ParseArgsConfig, parseArgs } from "node:util";
import { CapabilityError, missingPackage } from "../errors.js";
import { COMMANDS, type CommandName } from "./commands.js";
import { helpOf, OVERVIEW } from "./help.js";
import type { Invocation } from "./invocation.js";
import { createTerminal, type Terminal } from "./terminal.js";
import { didYouMean, UsageError } from "./usage.js";

/** Runs a command line. Resolves to the exit code. */
export async function main(args: readonly string[], env = process.env): Promise<number> {
  const terminal = createTerminal();
  try {
    const [name, ...rest] = args;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      terminal.out(rest[0] === undefined ? OVERVIEW : helpOf(commandNamed(rest[0])));
      return name === undefined ? 2 : 0;
    }
    if (name === "--version" || name === "-v") return await printVersion(terminal);
    const command = commandNamed(name);
    const { words, options } = readOptions(command, rest);
    if (options.help) {
      terminal.out(helpOf(command));
      return 0;
    }
    const { run } = await COMMANDS[command].load();
    return (await run({ terminal, words, options, env, commands: COMMANDS })) ?? 0;
  } catch (thrown) {
    return explain(terminal, thrown);
  }
}

function commandNamed(name: string): CommandName {
  if (Object.hasOwn(COMMANDS, name)) return name as CommandName;
  const names = Object.keys(COMMANDS);
  throw new UsageError(`Unknown command "${name}".${didYouMean(name, names)} Known: ${names.join(", ")}.`);
}

function readOptions(command: CommandName, args: string[]): Pick<Invocation, "words" | "options"> {
  const known = { ...COMMANDS[command].options, help: { type: "boolean", short: "h" } } as const;
  const unknown = unknownOption(args, known);
  if (unknown !== undefined) {
    const names = Object.keys(known).map((name) => `--${name}`);
    throw new UsageError(`Unknown option --${unknown}.${didYouMean(`--${unknown}`, names)}`);
  }
  try {
    const { positionals, values } = parseArgs({ args, options: known, allowPositionals: true });
    return { words: positionals, options: values as Invocation["options"] };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The first option that a command does not have. */
function unknownOption(args: string[], known: NonNullable<ParseArgsConfig["options"]>): string | undefined {
  const { tokens } = parseArgs({ args, options: known, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option" && !Object.hasOwn(known, token.name)) return token.name;
  return undefined;
}

/** Prints the error and how to correct it. */
function explain(terminal: Terminal, thrown: unknown): number {
  const error = missingPackage(thrown) ?? thrown;
  const wrongUse = error instanceof UsageError || (CapabilityError.is(error) && error.code === "INVALID_INPUT");
  const message = error instanceof Error ? error.message : String(error);
  const code = CapabilityError.is(error) ? ` ${terminal.dim(error.code)}` : "";
  terminal.note(`${terminal.red(wrongUse ? "Used wrongly:" : "Failed:")} ${message}${code}`);
  if (CapabilityError.is(error)) {
    const [, ...others] = error.issues ?? [];
    for (const { path, message } of others) terminal.note(`  ${path}: ${message}`);
    if (error.retryAfter !== undefined) terminal.note(`It may work again in ${error.retryAfter} s.`);
  }
  if (wrongUse) terminal.note(terminal.dim("Run coinslot --help for more."));
  return wrongUse ? 2 : 1;
}

async function printVersion(terminal: Terminal): Promise<number> {
  const { packageVersion } = await import("./version.js");
  terminal.out(packageVersion());
  return 0;
}
