/** Notices that a table was cut within its last row, whose missing cells would be read as empty ones. */
import { Transform } from "node:stream";

export interface TableEnd {
  /** Passes the bytes of the file on, before anything parses them. */
  readonly stage: Transform;
  /** Throws if the last row has fewer cells than the table has columns, and no line end behind it. */
  assertWhole(cells: number, columns: number): void;
}

const LINE_FEED = 0x0a;

export function tableEnd(): TableEnd {
  let last: number | undefined;
  const stage = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      last = chunk.at(-1) ?? last;
      done(null, chunk);
    },
  });
  return {
    stage,
    assertWhole(cells, columns) {
      if (last !== LINE_FEED && cells < columns)
        throw new Error(`the last row was cut: it has ${cells} of ${columns} cells, and no line end`);
    },
  };
}
