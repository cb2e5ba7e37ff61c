/** UN/EDIFACT: service segments begin with UN; a first segment UNA tells delimiters that are not the usual ones. */
import type { Interchange } from "./envelope.js";
import { type Dialect, type Header, skipBlanks, trailers } from "./scan.js";
import { type Delimiters, type ElementValue, ediDate, first, isoTime, part } from "./segment.js";

export const USUAL: Delimiters = {
  ...{ element: "+", component: ":", segment: "'", tag: "+", repetition: null, release: "?", decimal: "." },
};
/** Of character set B, as the standard has them. */
const UNPRINTABLE = { ...USUAL, element: "\x1d", tag: "\x1d", component: "\x1f", segment: "\x1c", release: null };

/** The delimiters of an interchange, and where its UNB begins; null where they are no delimiters. */
function readDelimiters(text: string, at: number): Header | null {
  const delimiters = text.startsWith("UNA", at) ? advised(text, at) : implied(text, at);
  const next = text.startsWith("UNA", at) ? skipBlanks(text, at + 9) : at;
  if (!delimiters) return null;
  const { element, component, segment, repetition, release } = delimiters;
  const marks = [element, component, segment, repetition, release].filter((mark) => mark !== null);
  const isSound = new Set(marks).size === marks.length && marks.every((mark) => !/[A-Za-z0-9]/.test(mark));
  const tag = text.slice(next, next + 8).replace(/[\r\n]/g, "");
  return isSound && tag.startsWith(`UNB${element}`) ? { delimiters, next, isRead: false } : null;
}

function advised(text: string, at: number): Delimiters | undefined {
  const [component, element, decimal, release, repetition, segment] = text.slice(at + 3, at + 9);
  if (!component || !element || !decimal || !release || !repetition || !segment) return undefined;
  const given = (sign: string) => (sign === " " ? null : sign);
  return { element, component, segment, tag: element, decimal, release: given(release), repetition: given(repetition) };
}

/** Syntax 4 has a mark of repetition; those before it keep its place free. */
function implied(text: string, at: number): Delimiters {
  if (text[at + 3] === UNPRINTABLE.element) return UNPRINTABLE;
  return /^UNB\+[A-Z0-9]{4}:4/.test(text.slice(at, at + 10)) ? { ...USUAL, repetition: "*" } : USUAL;
}

const orNull = (text: string | undefined): string | null => text || null;
/** Version and release, joined as people name a directory: D.96A. */
const joined = (version = "", release = ""): string | null => orNull([version, release].filter(Boolean).join("."));
const components = (element: ElementValue | undefined): string[] => {
  if (element === undefined) return [];
  if (typeof element === "string") return [element];
  return Array.isArray(element) ? element : components(element.repeat[0]);
};

export function interchangeOf([syntax, sender, receiver, date, control, ...more]: ElementValue[]): Interchange {
  return {
    syntax: components(syntax),
    sender: first(sender),
    senderMore: components(sender).slice(1),
    receiver: first(receiver),
    receiverMore: components(receiver).slice(1),
    control: first(control),
    date: ediDate(part(date, 0) ?? ""),
    time: isoTime(part(date, 1) ?? ""),
    more,
    groups: [],
    segments: [],
  };
}

const handlers: Dialect["handlers"] = {
  UNB: (assembler, { at }, elements) => assembler.openInterchange(interchangeOf(elements), at),
  UNG: (assembler, { at }, [id, sender, receiver, date, control, agency, version]) =>
    assembler.openGroup(
      {
        functionalId: first(id),
        version: joined(part(version, 0), part(version, 1)),
        control: first(control),
        agency: orNull(first(agency)),
        sender: first(sender),
        receiver: first(receiver),
        date: ediDate(part(date, 0) ?? ""),
        time: isoTime(part(date, 1) ?? ""),
        transactions: [],
      },
      at,
    ),
  UNH: (assembler, { at }, [control, identifier, ...more]) =>
    assembler.openTransaction(
      {
        type: first(identifier),
        control: first(control),
        version: joined(part(identifier, 1), part(identifier, 2)),
        agency: orNull(part(identifier, 3)),
        association: orNull(part(identifier, 4)),
        more,
        segments: [],
      },
      at,
    ),
  ...trailers({ transaction: "UNT", group: "UNE", interchange: "UNZ" }),
};

export const edifact = (): Dialect => ({
  format: "edifact",
  tag: /^[A-Z][A-Z0-9]{2}(?::[\d:]{1,20})?$/,
  handlers,
  header: (text, at) => (/^UN[AB]$/.test(text.slice(at, at + 3)) ? readDelimiters(text, at) : undefined),
});
