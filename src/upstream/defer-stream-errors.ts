import { PassThrough, pipeline, type Readable } from "node:stream";

/**
 * The same bytes, in a stream that may fail before anybody reads it: whoever comes to read it then gets the error,
 * where the chain made by `compose` would end the process (seen in Node 20). For readers that wait for their library.
 */
export function deferStreamErrors(stream: Readable): Readable {
  const held = pipeline(stream, new PassThrough(), () => {});
  held.on("error", () => {});
  return held;
}
