/** Files that are embedded in a PDF. */
import { PdfFile, type PdfObject } from "./objects.js";
import { type PdfDictionary, PdfName, PdfReference, PdfText, type PdfValue } from "./values.js";

export interface EmbeddedFile {
  name: string;
  mimeType: string | null;
  content: Uint8Array;
}

const MAX_FILES = 100;

/** Every file that a specification in the document leads to, in the order of its objects. */
export function embeddedFiles(bytes: Uint8Array): EmbeddedFile[] {
  const file = new PdfFile(bytes);
  const streams = new Map<PdfObject, PdfDictionary>();
  for (const { value } of file.objects.values()) {
    const stream = value instanceof Map && value.has("EF") ? streamOf(file, value) : undefined;
    if (stream && !streams.has(stream) && streams.size < MAX_FILES) streams.set(stream, value as PdfDictionary);
  }
  return [...streams].flatMap(([stream, specification]) => {
    const content = file.content(stream);
    return content ? [{ ...namesOf(file, stream, specification), content }] : [];
  });
}

function namesOf(file: PdfFile, stream: PdfObject, specification: PdfDictionary): Omit<EmbeddedFile, "content"> {
  const subtype = file.dictionary(stream.value)?.get("Subtype");
  const name = textOf(file.resolve(specification.get("UF"))) ?? textOf(file.resolve(specification.get("F"))) ?? "";
  return { name, mimeType: subtype instanceof PdfName ? subtype.name : null };
}

function streamOf(file: PdfFile, specification: PdfDictionary): PdfObject | undefined {
  const embedded = file.dictionary(specification.get("EF"));
  const reference = embedded?.get("F") ?? embedded?.get("UF");
  return reference instanceof PdfReference ? file.objects.get(reference.number) : undefined;
}

function textOf(value: PdfValue | undefined): string | undefined {
  if (!(value instanceof PdfText)) return undefined;
  const { bytes } = value;
  if (!bytes.startsWith("\xfe\xff")) return bytes;
  return new TextDecoder("utf-16be").decode(Buffer.from(bytes.slice(2), "latin1"));
}
