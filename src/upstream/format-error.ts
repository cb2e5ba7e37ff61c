/** Where an answer is not of the expected format, for the host: a place and names of keys, and no value. */
export class FormatError extends Error {
  constructor(
    /** Dotted; empty for the whole answer. */
    readonly path: string,
    because: string | undefined,
  ) {
    super(`${path || "$"}: ${because}`);
  }
}
