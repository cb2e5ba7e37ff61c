/** Which kind of document a file is, by its content: names and types of senders are guesses. */
import { invalid } from "../../errors.js";
import type { Members } from "../xml/parts.js";

const KINDS = ["docx", "pptx", "xlsx", "odt", "epub", "eml", "html", "csv", "ipynb"] as const;
export type Kind = (typeof KINDS)[number];

/** Throws INVALID_INPUT for an archive of another kind. */
export function kindOfArchive(members: Members): Kind {
  const mimeType = Buffer.from(members.get("mimetype") ?? [])
    .toString("latin1")
    .trim();
  if (mimeType.startsWith("application/epub") || members.has("META-INF/container.xml")) return "epub";
  if (mimeType.startsWith("application/vnd.oasis.opendocument.text")) return "odt";
  const types = Buffer.from(members.get("[Content_Types].xml") ?? []).toString("utf8");
  if (
    /wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)/.test(types) ||
    members.has("word/document.xml")
  )
    return "docx";
  if (/presentationml\.(?:presentation|slideshow|template)|ms-powerpoint\./.test(types)) return "pptx";
  if (/spreadsheetml\.(?:sheet|template)|ms-excel\.sheet/.test(types) || members.has("xl/workbook.xml")) return "xlsx";
  throw invalid(
    "",
    `is an archive of another kind${mimeType ? ` (${mimeType.slice(0, 80)})` : ""}: send DOCX, PPTX, XLSX, ODT or EPUB`,
  );
}

const HEADER =
  /^(?:From|To|Cc|Subject|Date|Received|Return-Path|Delivered-To|Message-ID|MIME-Version|Content-Type|X-[\w-]+|DKIM-Signature|Reply-To|Sender|ARC-[\w-]+):[ \t]?/i;

const HTML =
  /^<(?:!doctype\s+html|html|head|body|article|main|section|div|p|h[1-6]|table|ul|ol|span|a|b|strong|em|i|pre|blockquote|img|nav|header|meta|title)[\s>/]/i;

/** Throws INVALID_INPUT for a text that is none of them. */
export function kindOfText(text: string): Kind {
  const kind = knownKindOf(text);
  if (!kind) throw unknownKind();
  return kind;
}

/** Undefined for a text that is none of them. */
export function knownKindOf(text: string): Kind | undefined {
  const head = text.slice(0, 20_000).trimStart();
  if (head.startsWith("{") && /"(?:nbformat|cells|worksheets)"\s*:/.test(text)) return "ipynb";
  if (isMail(head)) return "eml";
  if (HTML.test(withoutProlog(head))) return "html";
  if (head.startsWith("<") || head.startsWith("{") || head.startsWith("[")) return undefined;
  if (isTable(head)) return "csv";
  return /<(?:p|div|h[1-6]|table|ul|ol|br|b|a)[\s>/]/i.test(head) ? "html" : undefined;
}

/** The text after its XML declaration and its first comments. */
function withoutProlog(head: string): string {
  let left = head;
  for (const [start, end] of [["<?", "?>"], ...Array.from({ length: 5 }, () => ["<!--", "-->"] as const)] as const) {
    const at = left.startsWith(start) ? left.indexOf(end) : -1;
    if (at >= 0) left = left.slice(at + end.length).trimStart();
  }
  return left;
}

/** Two lines of a mail's header, the first one at the start. */
function isMail(head: string): boolean {
  const lines = head.split(/\r?\n/, 60);
  const end = lines.indexOf("");
  const headers = (end < 0 ? lines : lines.slice(0, end)).filter((line) => HEADER.test(line));
  return headers.length >= 2 && (HEADER.test(lines[0] ?? "") || /^From \S+@/.test(lines[0] ?? ""));
}

/** Each of the first lines has as many delimiters, and at least one. */
function isTable(head: string): boolean {
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n|\r|\n/)
    .filter(Boolean)
    .slice(0, 10);
  return [",", ";", "\t", "|"].some((sign) => {
    const counts = lines.map((line) => line.split(sign).length - 1);
    return (counts[0] ?? 0) > 0 && counts.every((count) => count === counts[0]);
  });
}

function unknownKind() {
  return invalid(
    "",
    `is of no kind that is read: send DOCX, PPTX, XLSX, ODT, EPUB, EML, HTML, CSV or IPYNB; PDF goes to pdf.to-markdown`,
  );
}
