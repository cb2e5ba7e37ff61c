/** Mails (RFC 5322, MIME): who wrote to whom, and the text. Attachments are named. */
import type { PhrasingContent, RootContent } from "mdast";
import type PostalMime from "postal-mime";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { findElement, parseHtml, toDocument } from "../markdown/from-html.js";
import { hiddenNote, removeHidden } from "../markdown/hidden/hidden.js";
import { paragraph, type ReadDocument, textNode } from "./document.js";

const library = lazy(() => import("postal-mime"));

const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 500_000, maxRfc822NestingDepth: 5 };

type Email = Awaited<ReturnType<typeof PostalMime.parse>>;
type Address = NonNullable<Email["from"]>;

export async function readEml(bytes: Uint8Array): Promise<ReadDocument> {
  const { default: parser } = await library();
  const mail = await parser.parse(bytes, LIMITS).catch((error: unknown) => {
    throw invalid("", `is not a mail that can be read: ${error instanceof Error ? error.message.slice(0, 200) : ""}`);
  });
  const from = mail.from ? addressText(mail.from) : "";
  const hidden: string[] = [];
  const blocks: RootContent[] = [
    ...fact("From", from),
    ...fact("To", (mail.to ?? []).map(addressText).join(", ")),
    ...fact("Cc", (mail.cc ?? []).map(addressText).join(", ")),
    ...fact("Date", mail.date ?? ""),
    ...fact("Subject", mail.subject ?? ""),
    ...bodyOf(mail, hidden),
  ];
  const files = mail.attachments.map(({ filename, mimeType, content }, i) => ({
    name: filename ?? `attachment-${i + 1}`,
    mimeType,
    bytes: typeof content === "string" ? content.length : content.byteLength,
  }));
  const images = files
    .filter(({ mimeType }) => mimeType.startsWith("image/"))
    .map(({ name, bytes: size }) => ({ name, alt: "", bytes: size }));
  const others = files.filter(({ mimeType }) => !mimeType.startsWith("image/"));
  const notes = others.map(
    ({ name, mimeType, bytes: size }) => `attachment ${name} (${mimeType}, ${size} bytes) was not read`,
  );
  return { title: mail.subject ?? null, author: from || null, blocks, images, notes: [...notes, ...hidden] };
}

function bodyOf({ html, text }: Email, notes: string[]): RootContent[] {
  if (html) {
    const page = parseHtml(html);
    notes.push(...hiddenNote(removeHidden(page)));
    return toDocument(findElement(page, "body") ?? page).children;
  }
  return (text ?? "")
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => paragraph(linesOf(part)));
}

/** A mail's lines are where its writer broke them. */
function linesOf(part: string): PhrasingContent[] {
  return part
    .trim()
    .split("\n")
    .flatMap((line, i): PhrasingContent[] => [...(i > 0 ? [{ type: "break" as const }] : []), textNode(line.trim())]);
}

function addressText(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(", ")}`;
  return address.name && address.name !== address.address
    ? `${address.name} <${address.address}>`
    : (address.address ?? "");
}

function fact(name: string, value: string): RootContent[] {
  if (value === "") return [];
  return [paragraph([{ type: "strong", children: [textNode(`${name}:`)] }, textNode(` ${value}`)])];
}
