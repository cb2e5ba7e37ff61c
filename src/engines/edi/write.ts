/** Writes EDIFACT and TRADACOMS: headers, counts and trailers come from what the interchanges say. */
import { invalid } from "../../errors.js";
import { USUAL } from "./edifact.js";
import { readEdifact } from "./read-edi.js";
import type { Delimiters, ElementValue, Segment } from "./segment.js";
import { TRADACOMS } from "./tradacoms.js";
import { Writer } from "./writer.js";

type Text = string | null | undefined;

export interface MessageToWrite {
  type: string;
  version?: Text;
  agency?: Text;
  association?: Text;
  control?: Text;
  group?: Text;
  more?: ElementValue[] | undefined;
  segments: Segment[];
}

export interface GroupToWrite {
  control: string;
  functionalId?: Text;
  sender?: Text;
  receiver?: Text;
  date?: Text;
  time?: Text;
  agency?: Text;
  version?: Text;
}

export interface InterchangeToWrite {
  syntax?: string[] | undefined;
  sender: string;
  senderMore?: string[] | undefined;
  receiver: string;
  receiverMore?: string[] | undefined;
  control: string;
  date: string;
  time: string;
  more?: ElementValue[] | undefined;
  groups?: GroupToWrite[] | undefined;
  segments?: Segment[] | undefined;
  messages: MessageToWrite[];
}

export interface FileToWrite {
  format: "edifact" | "tradacoms";
  delimiters?: { [Name in keyof Delimiters]?: Text } | undefined;
  interchanges: InterchangeToWrite[];
}

/** The text, and what reading finds in it. */
export function writeEdifact({ format, delimiters: given, interchanges }: FileToWrite) {
  const delimiters = delimitersOf(format, given ?? {});
  const writer = new Writer(delimiters);
  for (const [at, interchange] of interchanges.entries())
    writeInterchange(writer, interchange, { format, path: `interchanges.${at}` });
  return { ...readEdifact({ text: writer.text }), text: writer.text };
}

function delimitersOf(format: FileToWrite["format"], given: NonNullable<FileToWrite["delimiters"]>): Delimiters {
  const usual = format === "edifact" ? USUAL : TRADACOMS;
  const own = Object.fromEntries(Object.entries(given).filter(([, sign]) => sign !== undefined && sign !== ""));
  const all: Delimiters = { ...usual, ...(format === "edifact" ? own : {}) };
  all.tag = format === "edifact" ? all.element : usual.tag;
  const marks = [all.element, all.component, all.segment, all.repetition, all.release].filter((mark) => mark !== null);
  if (marks.some((mark) => mark.length !== 1 || /[A-Za-z0-9\s]/.test(mark)) || new Set(marks).size < marks.length)
    throw invalid("delimiters", "must be different single signs that are no letters, digits or blanks");
  return all;
}

interface Place {
  format: FileToWrite["format"];
  path: string;
}

const compactDate = (date: Text, hasCentury: boolean): string =>
  (date ?? "").replaceAll("-", "").slice(hasCentury ? 0 : 2);
const compactTime = (time: Text): string => (time ?? "").replaceAll(":", "");

function writeInterchange(writer: Writer, interchange: InterchangeToWrite, { format, path }: Place): void {
  const { sender, senderMore = [], receiver, receiverMore = [], control, messages, groups = [] } = interchange;
  const isEdifact = format === "edifact";
  const syntax = interchange.syntax ?? (isEdifact ? ["UNOC", "3"] : ["ANA", "1"]);
  const hasCentury = isEdifact && syntax[1] === "4";
  const stamp = [compactDate(interchange.date, hasCentury), compactTime(interchange.time)];
  const parties: ElementValue[] = [
    [sender, ...senderMore],
    [receiver, ...receiverMore],
  ];
  if (isEdifact && writer.text === "") writer.text += advice(writer.delimiters, syntax);
  writer.segment(isEdifact ? "UNB" : "STX", [syntax, ...parties, stamp, control, ...(interchange.more ?? [])], path);
  for (const { tag, elements } of interchange.segments ?? []) writer.segment(tag, elements, `${path}.segments`);
  writeMessages(writer, interchange, { format, path }, hasCentury);
  const used = new Set(messages.flatMap(({ group }) => group ?? []));
  if (isEdifact)
    writer.segment("UNZ", [String(groups.length > 0 && used.size > 0 ? used.size : messages.length), control], path);
  else writer.segment("END", [String(messages.length)], path);
}

/** Needed where delimiters are not those that readers assume. */
function advice({ component, element, decimal, release, repetition, segment }: Delimiters, syntax: string[]): string {
  const assumed = syntax[1] === "4" ? "*" : " ";
  const told = `${component}${element}${decimal ?? "."}${release ?? " "}${repetition ?? " "}${segment}`;
  return told === `:+.?${assumed}'` ? "" : `UNA${told}`;
}

function writeMessages(writer: Writer, interchange: InterchangeToWrite, place: Place, hasCentury: boolean): void {
  const { groups = [], messages } = interchange;
  for (const [at, message] of messages.entries()) {
    const path = `${place.path}.messages.${at}`;
    const group = groups.find(({ control }) => control === message.group);
    if (message.group && !group) throw invalid(`${path}.group`, "must be the control of a group");
    if (group && messages[at - 1]?.group !== group.control) openGroup(writer, group, place, hasCentury);
    writeMessage(writer, message, { ...place, path }, String(at + 1));
    if (group && messages[at + 1]?.group !== group.control) closeGroup(writer, interchange, group, place);
  }
}

function closeGroup(
  writer: Writer,
  { messages }: InterchangeToWrite,
  { control }: GroupToWrite,
  { format, path }: Place,
): void {
  const count = String(messages.filter(({ group }) => group === control).length);
  if (format === "edifact") writer.segment("UNE", [count, control], path);
  else writer.segment("EOB", [count], path);
}

function openGroup(writer: Writer, group: GroupToWrite, { format, path }: Place, hasCentury: boolean): void {
  const { functionalId, sender, receiver, date, time, control, agency, version } = group;
  if (format === "tradacoms") {
    writer.segment("BAT", [control], path);
    return;
  }
  const stamp = [compactDate(date, hasCentury), compactTime(time)];
  writer.segment("UNG", [functionalId, sender, receiver, stamp, control, agency, versionParts(version)], path);
}

/** D.96A, D:96A and D96A are a version and a release. */
function versionParts(version: Text): string[] {
  const [, before = "", after = ""] = /^([^.:]*)[.:](.*)$/.exec(version ?? "") ?? [];
  if (before) return [before, after];
  const [, letter, rest] = /^([A-Z])(\d.*)$/.exec(version ?? "") ?? [];
  return letter && rest ? [letter, rest] : [version ?? ""];
}

function writeMessage(writer: Writer, message: MessageToWrite, { format, path }: Place, number: string): void {
  const { type, version, agency, association, segments, more = [] } = message;
  const control = message.control ?? number;
  const isEdifact = format === "edifact";
  const identifier = isEdifact
    ? [type, ...versionParts(version), agency ?? "UN", association ?? ""]
    : [type, version ?? "", association ?? ""];
  writer.segment(isEdifact ? "UNH" : "MHD", [control, identifier, ...more], path);
  for (const [at, { tag, elements }] of segments.entries()) writer.segment(tag, elements, `${path}.segments.${at}`);
  const count = String(segments.length + 2);
  if (isEdifact) writer.segment("UNT", [count, control], path);
  else writer.segment("MTR", [count], path);
}
