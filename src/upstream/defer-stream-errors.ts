import { PassThrough, pipeline, type Readable } from "node:stream";

/**
 * The same bytes in a stream that may fail before it is read: its later reader gets the error, while a chain made by
 * `compose` would end the process (seen in Node 20). For readers that wait for their library.
 */
export function deferStreamErrors(stream: Readable): Readable {
  const held = pipeline(stream, new PassThrough(), () => {});
  held.on("error", () => {});
  return held;
}
