/** Patterns of schemas, which callers write: those that could take exponential time run on an engine that cannot. */
import { invalid } from "../../../errors.js";
import { lazy } from "../../../lib/lazy.js";

/** Undefined where the package is not installed: patterns then run on the engine of the language. */
const linear = lazy(() => import("re2js").catch(() => undefined).then((library) => library?.RE2JS));

/** A repeated group, or several repetitions in a row, may be tried in very many ways. */
const RISKY = /\)[*+{]|[*+}][^|]*[*+}]/;
/** Means something else, or nothing, in the linear engine. */
const DIFFERENT = /\\[sSuxcpPBbk]|\(\?|\\[1-9]|\[\^?\]|\$.|.\^/s;
const MAX_PATTERN = 5_000;

export type Matches = (pattern: string, text: string) => boolean;

/** A function that finds patterns in texts, and keeps each once it is compiled. */
export async function patternMatcher(): Promise<Matches> {
  const RE2JS = await linear();
  const compiled = new Map<string, (text: string) => boolean>();
  function compile(pattern: string): (text: string) => boolean {
    if (pattern.length > MAX_PATTERN) throw invalid("schema", `has a pattern of more than ${MAX_PATTERN} characters`);
    const own = regular(pattern);
    if (!RE2JS || !RISKY.test(pattern) || DIFFERENT.test(pattern)) return (text) => own.test(text);
    try {
      const safe = RE2JS.compile(pattern);
      return (text) => safe.matcher(text).find();
    } catch {
      return (text) => own.test(text);
    }
  }
  return (pattern, text) => {
    let test = compiled.get(pattern);
    if (!test) {
      test = compile(pattern);
      compiled.set(pattern, test);
    }
    return test(text);
  };
}

function regular(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    throw invalid("schema", `has a pattern that is not a regular expression: ${message.slice(0, 200)}`);
  }
}
