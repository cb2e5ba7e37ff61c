/** ANSI X12: its header of fixed width tells the delimiters of an interchange. */
import { type Dialect, readSegment, trailers } from "./scan.js";
import { type Delimiters, ediDate, type Faults, first, isoTime, type PlacedSegment } from "./segment.js";

const ISA_WIDTHS = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1];

interface Isa {
  delimiters: Delimiters;
  elements: string[];
  end: number;
}

/** Line breaks that wrap the header count for nothing; one behind it is the terminator. Undefined for a broken one. */
function readHeader(text: string, at: number): Isa | undefined {
  const element = text[at + 3];
  if (!element || /[A-Za-z0-9\s]/.test(element)) return undefined;
  const elements: string[] = [];
  let start = at + 4;
  while (elements.length < ISA_WIDTHS.length) {
    const end = text.indexOf(element, start);
    if (end < 0 || end - start > 100) return undefined;
    elements.push(text.slice(start, end).replace(/[\r\n]/g, ""));
    start = end + 1;
  }
  while (text[start] === "\r" || text[start] === "\n") start++;
  const component = text[start];
  const isLines = text.startsWith("\r\n", start + 1);
  const segment = isLines ? "\n" : text[start + 1];
  if (!component || !segment) return undefined;
  const [repetition = ""] = elements.slice(10);
  const repeats = (elements[11] ?? "") >= "00402" && !/[A-Za-z0-9\s]/.test(repetition) && repetition !== element;
  return {
    delimiters: {
      element,
      component,
      segment,
      tag: element,
      repetition: repeats ? repetition : null,
      release: null,
      decimal: ".",
    },
    elements,
    end: start + (isLines ? 3 : 2),
  };
}

const isSound = ({ elements, delimiters: { element, component, segment } }: Isa): boolean =>
  elements.every((text, at) => text.length === ISA_WIDTHS[at]) &&
  new Set([element, component, segment]).size === 3 &&
  !/[A-Za-z0-9]/.test(component + segment);

/** The data of a binary segment is as long as the element before it tells, and may have any sign. */
function readX12Segment(text: string, at: number, delimiters: Delimiters, faults: Faults): PlacedSegment {
  const plain = readSegment(text, at, delimiters);
  const lengthAt = ["BIN", "BDS"].indexOf(plain.tag);
  if (lengthAt < 0) return plain;
  const { element, segment } = delimiters;
  let start = at + plain.tag.length + 1;
  for (let passed = 0; passed <= lengthAt; passed++) start = text.indexOf(element, start) + 1;
  const told = first(plain.elements[lengthAt]);
  const end = start + Number(told);
  if (start === 0 || !/^\d{1,9}$/.test(told) || text[end] !== segment) {
    faults.add("delimiter", at);
    return plain;
  }
  const elements = [...plain.elements.slice(0, lengthAt + 1), text.slice(start, end)];
  return { tag: plain.tag, elements, at, end: end + 1, isEnded: true };
}

function interchangeOf(elements: string[]) {
  const at = (index: number) => (elements[index] ?? "").trim();
  return {
    syntax: [at(11)],
    sender: at(5),
    senderMore: [at(4)],
    receiver: at(7),
    receiverMore: [at(6)],
    control: at(12),
    date: ediDate(at(8)),
    time: isoTime(at(9)),
    more: elements.slice(13),
    groups: [],
    segments: [],
  };
}

const orNull = (text: string): string | null => text || null;

const handlers: Dialect["handlers"] = {
  GS: (assembler, { at }, [id, sender, receiver, date, time, control, agency, version]) =>
    assembler.openGroup(
      {
        functionalId: first(id),
        version: orNull(first(version)),
        control: first(control),
        agency: orNull(first(agency)),
        sender: first(sender),
        receiver: first(receiver),
        date: ediDate(first(date)),
        time: isoTime(first(time)),
        transactions: [],
      },
      at,
    ),
  ST: (assembler, { at }, [type, control, version, ...more]) =>
    assembler.openTransaction(
      {
        ...{ type: first(type), control: first(control), version: orNull(first(version)) },
        ...{ agency: null, association: null, more, segments: [] },
      },
      at,
    ),
  ...trailers({ transaction: "SE", group: "GE", interchange: "IEA" }),
};

export const x12 = (faults: Faults): Dialect => ({
  format: "x12",
  tag: /^[A-Z][A-Z0-9]{1,2}$/,
  handlers,
  read: readX12Segment,
  header(text, at, assembler) {
    if (!text.startsWith("ISA", at)) return undefined;
    const header = readHeader(text, at);
    if (!header) return null;
    if (!isSound(header)) faults.add("delimiter", at);
    assembler.openInterchange(interchangeOf(header.elements), at);
    return { delimiters: header.delimiters, next: header.end, isRead: true };
  },
});
