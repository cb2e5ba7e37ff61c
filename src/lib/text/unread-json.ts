import { createHash } from "node:crypto";

/** Facts of JSON text that was measured in one pass. */
export interface JsonFacts {
  text: string;
  /** Of texts and names. */
  characters: number;
  /** Whether a number in it is beyond JavaScript's range. */
  isInfinite: boolean;
}

const NONE: JsonFacts = { text: "", characters: 0, isInfinite: false };

/** Stands for a long list or object that nobody needs here, and that therefore was measured and not parsed. */
export class UnreadJson {
  readonly #facts: JsonFacts;

  constructor(
    readonly isList: boolean,
    /** Elements of lists and members of objects, in total. */
    readonly parts: number,
    facts: JsonFacts = NONE,
  ) {
    this.#facts = facts;
  }

  get facts(): JsonFacts {
    return this.#facts;
  }

  /** A digest, by which two inputs are told apart. */
  toJSON(): string {
    return createHash("sha256").update(this.#facts.text).digest("hex");
  }
}

/** Values and characters of long values that were parsed: whoever counts them again need not walk through them. */
export const measuredJson = /* @__PURE__ */ new WeakMap<object, { values: number; characters: number }>();
