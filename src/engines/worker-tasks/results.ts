/** How results leave a thread: bounded before they are copied, and as text where copying values would stop the loop. */
import { CapabilityError } from "../../errors.js";

/** Values beyond which the loop reads text in turns: to copy these takes some milliseconds. */
const MANY = 8_000;
/** Files: pictures of the largest pages. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

export type Result = { result: unknown } | { json: string };

/** Throws RESULT_TOO_LARGE for what would be written with more characters than `maxLength`. */
export function leaving(result: unknown, maxLength: number): Result {
  const { values, isJson } = new Measure(result, maxLength);
  return values > MANY && isJson ? { json: JSON.stringify(result) } : { result };
}

/**
 * At most what JSON has: the texts and the names, and a sign for each value. What is held twice is written twice. Without
 * recursion, because results may be nested deeply.
 */
class Measure {
  values = 0;
  /** Whether JSON text says the same. */
  isJson = true;
  #length = 0;
  #bytes = 0;
  readonly #stack: unknown[];
  readonly #maxLength: number;

  constructor(whole: unknown, maxLength: number) {
    this.#stack = [whole];
    this.#maxLength = maxLength;
    if (typeof whole !== "object" || whole === null) this.isJson = false;
    while (this.#stack.length > 0) this.#take(this.#stack.pop());
  }

  #take(value: unknown): void {
    this.#add(1);
    if (typeof value === "string") this.#add(value.length);
    else if (Array.isArray(value)) this.#takeList(value);
    else if (isPlain(value)) this.#takeMembers(value);
    else if (ArrayBuffer.isView(value)) this.#takeFile(value.byteLength);
    else if (!isJsonValue(value)) this.isJson = false;
  }

  #add(length: number): void {
    this.#length += length;
    if (this.#length > this.#maxLength) throw tooLarge(this.#maxLength);
  }

  #takeList(list: readonly unknown[]): void {
    this.values += list.length;
    if (list.length > this.#maxLength) throw tooLarge(this.#maxLength);
    for (const one of list) this.#stack.push(one);
  }

  #takeMembers(members: Record<string, unknown>): void {
    for (const [name, one] of Object.entries(members)) {
      this.values++;
      this.#add(name.length);
      this.#stack.push(one);
    }
  }

  #takeFile(bytes: number): void {
    this.isJson = false;
    this.#bytes += bytes;
    if (this.#bytes > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES);
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const isJsonValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

function tooLarge(most: number): CapabilityError {
  const message = `grows to a result of more than ${most} characters: ask for less, or send a smaller part`;
  return new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}
