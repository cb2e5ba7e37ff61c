/** Messages of DNS (RFC 1035): one question out, the records of its type in. */
import type { MxRecord, RecordType } from "./dns.js";

const TYPES: Record<RecordType, number> = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 };
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** Asks for recursion, under the number 0, as caches over HTTPS wish. */
export function writeDnsQuestion(name: string, type: RecordType): Uint8Array {
  const labels = name.split(".").map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > 63))
    throw new Error("A label of the name has no valid length.");
  return Buffer.concat([
    Buffer.from([0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0, 0, TYPES[type], 0, 1]),
  ]);
}

/** The records of a type in an answer, aliases followed by who answered. Throws on a failure, and on other bytes. */
export function readDnsMessage(bytes: Uint8Array, type: RecordType): (MxRecord | string)[] {
  const message = Buffer.from(bytes);
  const code = message.readUInt8(3) & 15;
  if (code !== 0 && code !== NO_SUCH_NAME) throw new Error(`The name server answers with code ${code}.`);
  let at = HEADER_BYTES;
  for (let left = message.readUInt16BE(4); left > 0; left--) at = readName(message, at).end + 4;
  const records: (MxRecord | string)[] = [];
  for (let left = message.readUInt16BE(6); left > 0; left--) {
    const start = readName(message, at).end;
    const end = start + 10 + message.readUInt16BE(start + 8);
    if (end > message.length) throw new Error("The message ends within a record.");
    if (message.readUInt16BE(start) === TYPES[type])
      records.push(readRecord(message, { type, start: start + 10, end }));
    at = end;
  }
  return records;
}

function readRecord(message: Buffer, { type, start, end }: { type: RecordType; start: number; end: number }) {
  const data = message.subarray(start, end);
  if (type === "MX") return { preference: data.readUInt16BE(0), host: readName(message, start + 2).name };
  if (type === "PTR") return readName(message, start).name;
  if (type === "A") return data.join(".");
  if (type === "AAAA") return (data.toString("hex").match(/.{4}/g) ?? []).join(":");
  let text = "";
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    text += data.toString("latin1", at + 1, at + 1 + (data[at] ?? 0));
  return text;
}

/** A name of labels, or of labels and the place of the rest; places lead back only, so none goes in a circle. */
function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let [at, end] = [start, 0];
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join("."), end: end || at + 1 };
    if (length >= 0xc0) {
      const target = message.readUInt16BE(at) & 0x3fff;
      if (target >= at) throw new Error("A name of the message leads forward.");
      end ||= at + 2;
      at = target;
    } else {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    if (labels.length > 127) throw new Error("A name of the message does not end.");
  }
}
