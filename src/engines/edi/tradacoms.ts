/** TRADACOMS of British retail: tags end at an equals sign, and messages are numbered from 1. */

import { interchangeOf, USUAL } from "./edifact.js";
import { NO_GROUP } from "./envelope.js";
import type { Dialect } from "./scan.js";
import { type Delimiters, first, part } from "./segment.js";

export const TRADACOMS: Delimiters = { ...USUAL, tag: "=" };

const handlers: Dialect["handlers"] = {
  STX: (assembler, { at }, elements) => assembler.openInterchange(interchangeOf(elements), at),
  BAT: (assembler, { at }, [control]) =>
    assembler.openGroup({ ...NO_GROUP, functionalId: "BAT", control: first(control), transactions: [] }, at),
  MHD: (assembler, { at }, [control, identifier, ...more]) =>
    assembler.openTransaction(
      {
        type: first(identifier),
        control: first(control),
        version: part(identifier, 1) || null,
        ...{ agency: null, association: part(identifier, 2) || null, more, segments: [] },
      },
      at,
    ),
  MTR: (assembler, segment, [count]) => assembler.endTransaction(segment, first(count), undefined),
  EOB: (assembler, segment, [count]) => assembler.endGroup(segment, first(count), undefined),
  // The count is that of messages, also where they stand in batches.
  END: (assembler, segment, [count]) => assembler.endInterchange(segment, first(count), undefined, false),
};

export const tradacoms = (): Dialect => ({
  format: "tradacoms",
  tag: /^[A-Z]{3}$/,
  handlers,
  header(text, at) {
    if (!text.startsWith("STX", at)) return undefined;
    return text[at + 3] === "=" ? { delimiters: TRADACOMS, next: at, isRead: false } : null;
  },
});
