/** A keyword being evaluated, and what it may ask of the evaluation. */
import { isObject, type Members } from "../../members.js";
import type { Registry, Resource, Schema } from "./registry.js";

export interface SchemaError {
  /** JSON Pointer into the instance. */
  path: string;
  /** JSON Pointer along the keywords that led here. */
  schemaPath: string;
  keyword: string;
  message: string;
}

/** The members and elements of an instance that a schema has looked at. */
export class Evaluated {
  #names: Set<string> | undefined;
  #indexes: Set<number> | undefined;

  get names(): ReadonlySet<string> {
    return this.#names ?? NO_NAMES;
  }

  get indexes(): ReadonlySet<number> {
    return this.#indexes ?? NO_INDEXES;
  }

  addName(name: string): void {
    this.#names ??= new Set();
    this.#names.add(name);
  }

  addIndex(index: number): void {
    this.#indexes ??= new Set();
    this.#indexes.add(index);
  }

  addAll({ names, indexes }: Evaluated): void {
    for (const name of names) this.addName(name);
    for (const index of indexes) this.addIndex(index);
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_INDEXES: ReadonlySet<number> = new Set();

/** The resources that led to a schema, the innermost first. */
export interface Scope {
  resource: Resource;
  outer: Scope | undefined;
}

export interface InstancePlace {
  instance: unknown;
  path: string;
  schemaPath: string;
  scope: Scope;
}

/** A keyword being evaluated. */
export interface Call extends InstancePlace {
  schema: Members;
  value: unknown;
  seen: Evaluated;
  run: SchemaRun;
}

export interface RunOptions {
  registry: Registry;
  /** Whether formats are asserted, and by which function. */
  isFormat?: (format: string, text: string) => boolean;
  /** Whether a pattern is found in a text. */
  matches(pattern: string, text: string): boolean;
  /** Schemas that one evaluation may look at, each time that it does. Default: a million. */
  maxSteps?: number;
}

export interface SchemaRun {
  readonly errors: SchemaError[];
  readonly options: RunOptions;
  /** Whether the instance is valid; `seen` grows by what the schema looked at if it is. */
  judge(schema: Schema, place: InstancePlace, seen: Evaluated): boolean;
  /** The same without telling of errors. */
  isValid(schema: Schema, place: InstancePlace, seen: Evaluated): boolean;
  /** Notes an error. */
  fail(place: Pick<InstancePlace, "path" | "schemaPath">, keyword: string, message: string): false;
}

export const isSchema = (value: unknown): value is Schema => typeof value === "boolean" || isObject(value);
