import { inputSchema, outputSchema } from "../../capability/json-schema.js";
import { termsOf } from "../../capability/terms.js";
import type { AnyCapability } from "../../capability/types.js";
import { paramsOf } from "../../discovery/directory.js";
import { priceText } from "../../discovery/price-text.js";
import { capabilityNamed } from "../catalogue.js";
import type { Invocation } from "../invocation.js";

export async function run({ terminal, words, options, env }: Invocation): Promise<number> {
  const capability = capabilityNamed(words[0], "describe");
  const { id, summary, method, path, price, source, requires, example, contentTypes } = capability;
  const setting = (name: string) => env[name] || undefined;
  const terms = termsOf(capability.originsAt({ secret: setting, setting }));
  if (options.json) {
    const facts = { id, summary, method, path, price, source, terms, requires, example, contentTypes };
    terminal.out(
      JSON.stringify({ ...facts, input: inputSchema(capability), output: outputSchema(capability) }, null, 2),
    );
    return 0;
  }
  terminal.out(`${terminal.bold(id)}  ${summary}\n`);
  terminal.table([
    [terminal.dim("price"), `${priceText(price)} at a service, free here`],
    [terminal.dim("over HTTP"), `${method} ${path}`],
    [terminal.dim("answers"), contentTypes.join(", ")],
    [terminal.dim("source"), `${source.provider}, ${source.license}`],
    ...(terms ? [[terminal.dim("resale"), `${terms.resale}: ${terms.note} ${terms.url}`]] : []),
    ...(terms?.attribution ? [[terminal.dim("to show"), terms.attribution]] : []),
    ...(requires.length > 0 ? [[terminal.dim("needs"), requires.join(", ")]] : []),
  ]);
  const params = paramsOf(capability);
  if (params.length > 0) {
    terminal.out("");
    const rows = params.map(({ name, type, required, description = "", default: preset, enum: choices }) => [
      required ? terminal.bold(name) : name,
      choices ? choices.join(" | ") : type,
      required ? "required" : preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
      description,
    ]);
    terminal.table(rows, ["field", "type", "", "what it is"]);
  }
  terminal.out(`\n${terminal.dim("For example")}\n  ${exampleOf(capability)}`);
  return 0;
}

/** A command that can be run as printed. */
function exampleOf({ id, example }: AnyCapability): string {
  const fields = Object.entries(example as object);
  const flat = fields.every(([, value]) => typeof value !== "object");
  const words = flat
    ? fields.map(([name, value]) => quoted(`${name}=${value}`))
    : ["--input", quoted(JSON.stringify(example))];
  return ["coinslot call", id, ...words].join(" ");
}

/** Quoted for a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
