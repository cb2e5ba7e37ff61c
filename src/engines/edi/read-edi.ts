/** Files of electronic data interchange, by their first segment. */
import { invalid } from "../../errors.js";
import { edifact } from "./edifact.js";
import type { EdiFile, Interchange } from "./envelope.js";
import { readFile, skipBlanks } from "./scan.js";
import { Faults, type SegmentFault } from "./segment.js";
import { tradacoms } from "./tradacoms.js";
import { x12 } from "./x12.js";

export interface EdiReading extends EdiFile {
  valid: boolean;
  errors: SegmentFault[];
}

/** Throws INVALID_INPUT, without a path, for what begins with none of the formats' headers. */
export function readEdi({ text: given }: { text: string }): EdiReading {
  const text = given.replace(/^\uFEFF/, "");
  const from = skipBlanks(text, 0);
  const faults = new Faults();
  const dialect = dialectOf(text.slice(from, from + 3), faults);
  if (!dialect) throw invalid("", "must begin with ISA (X12), UNA or UNB (EDIFACT) or STX (TRADACOMS)");
  const none: EdiFile = { format: dialect.format, delimiters: NO_DELIMITERS, interchanges: [] };
  const file = readFile(text, from, faults, dialect) ?? none;
  return { ...file, valid: faults.list.length === 0, errors: faults.list };
}

const NO_DELIMITERS = {
  ...{ element: "", component: "", segment: "", tag: "", repetition: null, release: null, decimal: null },
};

function dialectOf(tag: string, faults: Faults) {
  if (tag === "ISA") return x12(faults);
  if (tag === "STX") return tradacoms();
  return tag === "UNA" || tag === "UNB" ? edifact() : undefined;
}

/** The same with the messages of all groups in a row, each with the control number of its group. */
export function readEdifact({ text }: { text: string }) {
  const reading = readEdi({ text });
  if (reading.format === "x12") throw invalid("", "is X12: edi.parse reads it; this reads EDIFACT and TRADACOMS");
  return { ...reading, interchanges: reading.interchanges.map(withMessages) };
}

function withMessages({ groups, ...interchange }: Interchange) {
  const messages = groups.flatMap(({ control, transactions }) =>
    transactions.map(({ type, version, agency, association, ...message }) => ({
      ...{ type, version, agency, association, group: control },
      ...message,
    })),
  );
  const real = groups.flatMap(({ transactions: _, control, ...group }) =>
    control === null ? [] : [{ ...group, control }],
  );
  return { ...interchange, groups: real, messages };
}
