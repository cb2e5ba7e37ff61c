/**
 * Capabilities that hosts define. Each result is checked against its schema, a check that our own capabilities have in
 * their tests.
 */
import type { z } from "zod";
import { assertId, assertPrice, defineCapability } from "../define.js";
import type { Definition, StreamWork } from "../definition.js";
import type { OutputKind } from "../output.js";
import type { Provider } from "../provider.js";
import type { Streaming } from "../types.js";
import { capabilityDefinition, providerOptions } from "./checks.js";
import { drained, streaming } from "./streaming.js";

/**
 * Declares a capability: an async function that validates, runs and returns, with its facts as properties.
 *
 * Throws a TypeError if the id, price or source is invalid. A result that differs from `output` fails the call, which
 * then costs nothing; the log names the differences.
 *
 * @example
 * ```ts
 * const greet = defineCapability({
 *   id: "demo.greet",
 *   summary: "Greets a person by name.",
 *   price: "0.001",
 *   input: () => z.strictObject({ name: z.string().min(1).max(100).describe("Name of the person") }),
 *   output: legacy(() => z.object({ greeting: z.string() })),
 *   example: { name: "Ada" },
 *   run: async ({ name }) => ({ greeting: `Hello, ${name}.` }),
 * });
 * await greet({ name: "Ada" }); // { greeting: "Hello, Ada." }
 * ```
 */
export function defineOwnCapability<
  const Id extends string,
  I extends z.ZodType,
  Raw,
  Result,
  Query = z.output<I>,
  Chunk = never,
>(definition: OwnDefinition<I, Raw, Result, Query, Id, Chunk>): Streaming<I, Result, Chunk, Id> {
  const { id } = definition ?? {};
  assertId(id);
  assertPrice(id, definition.price);
  capabilityDefinition(id, definition);
  assertExample(definition);
  const run = definition.run ?? drained(id, definition.stream);
  return defineCapability({ ...definition, run, output: checked(id, definition.output) }, streaming);
}

/** A definition with `run`, `stream`, or both: with `stream` alone a call at once gets what the stream returns. */
export type OwnDefinition<I extends z.ZodType, Raw, Result, Query, Id extends string, Chunk> = Omit<
  Definition<I, Raw, Result, Query, Id, unknown, Chunk>,
  "run" | "stream"
> &
  (
    | Pick<Definition<I, Raw, Result, Query, Id, unknown, Chunk>, "run" | "stream">
    | { run?: undefined; stream: StreamWork<Raw, Query, unknown, Chunk> }
  );

/**
 * Declares an upstream of a host's own. Throws a TypeError that names an invalid member.
 *
 * @example
 * ```ts
 * const river = defineProvider({
 *   name: "River levels",
 *   url: "https://river.example",
 *   license: "CC BY 4.0",
 *   baseUrl: "https://api.river.example",
 *   terms: {
 *     resale: "allowed",
 *     attribution: "River Office",
 *     note: "",
 *     url: "https://river.example/terms",
 *     checkedAt: null,
 *   },
 * });
 * ```
 */
export function defineOwnProvider<P extends Provider>(provider: P): P {
  providerOptions("provider", provider);
  return provider;
}

/** The example is validated, because buyers and catalogues try it first. */
function assertExample<I extends z.ZodType>({
  id,
  input,
  example,
}: {
  id: string;
  input: I | (() => I);
  example: unknown;
}) {
  const schema = typeof input === "function" ? input() : input;
  if (typeof schema?.safeParse !== "function") throw new TypeError(`${id}: input must make a schema of zod.`);
  const { error } = schema.safeParse(example);
  if (!error) return;
  const flaws = error.issues.map(({ path, message }) => `${["example", ...path].join(".")}: ${message}`);
  throw new TypeError(`${id}: the input's schema refuses the example, so nobody could call it so. ${flaws.join("; ")}`);
}

function checked<Raw, Result>(id: string, output: OutputKind<Raw, Result>): OutputKind<Raw, Result> {
  return {
    ...output,
    finish(raw, source, reads) {
      const result = output.finish(raw, source, reads);
      const { error } = output.schema().safeParse(result);
      // guard: a result of an own capability is what its output promises |
      //   (error) -> (error && process.env.NODE_ENV !== "production") | what-hosts-learn
      if (error) {
        const differences = error.issues.map(({ path, message }) => `${path.join(".") || "result"}: ${message}`);
        throw new TypeError(`The result of ${id} is not what its output promises: ${differences.join("; ")}`);
      }
      return result;
    },
  };
}
