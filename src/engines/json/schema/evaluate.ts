/** Evaluates an instance by a schema: the keywords of all drafts from 4 to 2020-12. */
import { CapabilityError } from "../../../errors.js";
import type { Members } from "../members.js";
import { type Judged, keywordsOf } from "./keywords/by-draft.js";
import { Evaluated, type InstancePlace, type RunOptions, type SchemaError, type SchemaRun } from "./model/call.js";
import type { Schema } from "./model/registry.js";

const MAX_STEPS = 1_000_000;
const MAX_LEVELS = 1_200;
/** More errors than anybody is told of are not made. */
const MAX_KEPT = 1_000;

export class Evaluation implements SchemaRun {
  readonly errors: SchemaError[] = [];
  readonly options: RunOptions;
  readonly #known = new Map<Members, Judged[]>();
  readonly #maxSteps: number;
  #steps = 0;
  #levels = 0;

  constructor(options: RunOptions) {
    this.options = options;
    this.#maxSteps = options.maxSteps ?? MAX_STEPS;
  }

  judge(schema: Schema, place: InstancePlace, seen: Evaluated): boolean {
    if (schema === true) return true;
    if (schema === false) return this.fail(place, "false", "is not allowed here");
    // guard: offline: a schema takes so many steps | gone | json/validate
    if (++this.#steps > this.#maxSteps)
      throw tooLarge(`has too many combinations: it takes more than ${said(this.#maxSteps)} steps`);
    // guard: offline: a schema refers to itself so often | gone | json/validate
    if (++this.#levels > MAX_LEVELS) throw tooLarge("refers to itself without end");
    const resource = this.options.registry.resourceOf(schema, place.scope.resource);
    const scope = resource === place.scope.resource ? place.scope : { resource, outer: place.scope };
    const own = new Evaluated();
    const valid = this.#keywords(schema, { ...place, scope }, own);
    this.#levels--;
    if (valid) seen.addAll(own);
    return valid;
  }

  isValid(schema: Schema, place: InstancePlace, seen: Evaluated): boolean {
    const count = this.errors.length;
    const valid = this.judge(schema, place, seen);
    this.errors.length = count;
    return valid;
  }

  fail({ path, schemaPath }: Pick<InstancePlace, "path" | "schemaPath">, keyword: string, message: string): false {
    if (this.errors.length < MAX_KEPT) this.errors.push({ path, schemaPath, keyword, message });
    return false;
  }

  #keywords(schema: Members, place: InstancePlace, seen: Evaluated): boolean {
    let keywords = this.#known.get(schema);
    if (!keywords) {
      keywords = keywordsOf(schema, place.scope.resource);
      this.#known.set(schema, keywords);
    }
    let valid = true;
    for (const [keyword, value, judge] of keywords) {
      const schemaPath = `${place.schemaPath}/${keyword}`;
      if (!judge({ ...place, schemaPath, schema, value, seen, run: this })) valid = false;
    }
    return valid;
  }
}

const said = (steps: number): string => (steps === MAX_STEPS ? "a million" : String(steps));

function tooLarge(message: string): CapabilityError {
  return new CapabilityError("RESULT_TOO_LARGE", `The schema ${message}.`, { issues: [{ path: "schema", message }] });
}
