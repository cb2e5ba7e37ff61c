/** Callers' documents: as text, as a file, or at an address. One vocabulary for all capabilities that read some. */
import { z } from "zod";
import { text, uri } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, type Issue, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { decodePage } from "../../lib/text/charset.js";

/** Largest document in bytes, however it arrives. */
export const MAX_DOCUMENT_BYTES = 3_000_000;
/** Request bodies of capabilities that take a document: base64 is a third longer. */
export const MAX_DOCUMENT_BODY_BYTES = 4_200_000;

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4 + 100;

const outbound = /* @__PURE__ */ lazy(() => import("../outbound/outbound.js"));

export interface DocumentFields {
  text?: string | undefined;
  file?: string | undefined;
  url?: string | undefined;
}

/** Fields beside a document that may be a PDF. */
export const pdfFields = () => ({
  pages: z
    .string()
    .regex(/^[\d\s,-]{1,500}$/, { error: "must be page numbers and ranges, such as 1-3,7" })
    .describe("Pages of a PDF to read, such as 1-3,7; at most 200; without it the first 100 are read")
    .optional(),
  password: text(1, 200).describe("Password of an encrypted PDF").optional(),
});

export interface LoadedDocument {
  bytes: Uint8Array;
  /** The field that it came from, which refusals of its content name. */
  field: "text" | "file" | "url";
  /** By its first bytes. */
  kind: DocumentKind;
  /** Its characters: by byte order mark, header, or as UTF-8. */
  text(): string;
}

export type DocumentKind = "pdf" | "zip" | "gzip" | "png" | "jpeg" | "gif" | "ole" | "xml" | "text" | "binary";

export interface DocumentOptions {
  /** True if the document may be given as text. */
  text?: boolean;
  /** Media types for the Accept header of a fetch. */
  accept: string;
  /** The kind of document in the descriptions of the fields, such as `UBL or CII invoice`. */
  what: string;
  /** Largest document in bytes, in whole megabytes; the capability's `maxBodyBytes` goes with it. */
  maxBytes?: number;
}

/**
 * Fields, check and loading of a document.
 *
 * @example
 * ```ts
 * const document = documentInput({ text: true, accept: "application/xml", what: "XML document" });
 * // input: () => z.strictObject({ ...document.fields(), indent: z.int().min(0).max(8).default(2) }),
 * // check: document.check,
 * // run: async (input, ctx) => { const { bytes, field } = await document.load(input, ctx); ... }
 * // maxBodyBytes: MAX_DOCUMENT_BODY_BYTES
 * ```
 */
export function documentInput({
  text: takesText = false,
  accept,
  what,
  maxBytes = MAX_DOCUMENT_BYTES,
}: DocumentOptions) {
  const limit = `at most ${maxBytes / 1_000_000} MB`;
  const names = ["text", "file", "url"] as const;
  const taken = takesText ? names : names.slice(1);
  const choice = takesText ? "text, file or url" : "file or url";

  function fields() {
    const file = z
      .string()
      .max(base64Length(maxBytes), { error: `must be ${limit}` })
      .optional();
    const words = z
      .string()
      .max(maxBytes, { error: `must be ${limit}` })
      .optional();
    return {
      ...((takesText ? { text: words.describe(`The ${what} as text, ${limit}; or file, or url`) } : {}) as {
        text: typeof words;
      }),
      file: file.describe(`The ${what} in base64, ${limit}`).meta({ contentEncoding: "base64" }),
      url: uri(2048).describe(`Address of the ${what}, http or https, ${limit}`).optional(),
    };
  }

  function given(input: DocumentFields) {
    const present = taken.filter((name) => input[name] !== undefined);
    const [field, ...more] = present;
    if (!field) throw refusal(taken.map((path) => ({ path, message: `is missing: send the ${what} as ${choice}` })));
    if (more.length > 0)
      throw refusal(
        [...more, field].map((path) => ({ path, message: `must be left out, or the others: one of ${choice}` })),
      );
    return { field, value: input[field] ?? "" };
  }

  function decoded(file: string): Uint8Array {
    const bytes = bytesOf(file);
    if (bytes.length > maxBytes) throw invalid("file", `must be ${limit}`);
    return bytes;
  }

  return {
    fields,

    /** Refuses none or several of the fields, a file that is not base64, and an address that may not be fetched. */
    async check(input: DocumentFields, ctx: Pick<Context, "outbound">): Promise<void> {
      const { field, value } = given(input);
      if (value.trim() === "") throw invalid(field, "must not be empty");
      if (field === "text" && Buffer.byteLength(value) > maxBytes) throw invalid(field, `must be ${limit}`);
      if (field === "file") decoded(value);
      if (field === "url") (await outbound()).assertAllowedUrl(ctx, value, { field });
    },

    /** Rejects with URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_* for an address. */
    async load(input: DocumentFields, ctx: Context): Promise<LoadedDocument> {
      const { field, value } = given(input);
      if (field === "text") return loaded(Buffer.from(value), field, () => value);
      if (field === "file") return loaded(decoded(value), field);
      const { fetchOutbound } = await outbound();
      const { bytes, contentType } = await fetchOutbound(ctx, value, { maxBytes, accept, field });
      return loaded(bytes, field, () => decodePage(bytes, contentType));
    },
  };
}

const loaded = (
  bytes: Uint8Array,
  field: LoadedDocument["field"],
  text: () => string = () => decodePage(bytes, ""),
): LoadedDocument => ({ bytes, field, kind: documentKind(bytes), text });

function refusal(issues: Issue[]): CapabilityError {
  const [first] = issues;
  return new CapabilityError("INVALID_INPUT", `${first?.path}: ${first?.message}`, { issues });
}

/** Base64 of either alphabet, with or without padding and line breaks, also in a data URL. */
function bytesOf(file: string): Uint8Array {
  const start = /^data:[^,]{0,200};base64,/i.exec(file)?.[0].length ?? 0;
  const written = file.slice(start);
  const bytes = wholeBase64(written) ?? looseBase64(written);
  if (bytes.length === 0) throw invalid("file", "must not be empty");
  return bytes;
}

/**
 * Undefined if anything but digits stands before the padding: the decoder leaves it out, which makes fewer bytes. Counting
 * these is cheaper than looking at each character.
 */
function wholeBase64(written: string): Uint8Array | undefined {
  const padding = /={0,2}$/.exec(written.slice(-2))?.[0].length ?? 0;
  const count = written.length - padding;
  if (count % 4 === 1) return undefined;
  const bytes = Buffer.from(written, "base64");
  return bytes.length === Math.floor((count * 3) / 4) ? bytes : undefined;
}

function looseBase64(written: string): Uint8Array {
  const digits = written.replace(/[\s=]/g, "");
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(digits)) throw invalid("file", "must be base64");
  return Buffer.from(digits, "base64");
}

const STARTS: readonly [DocumentKind, string][] = [
  ["pdf", "%PDF-"],
  ["zip", "PK\x03\x04"],
  ["gzip", "\x1f\x8b"],
  ["png", "\x89PNG"],
  ["jpeg", "\xff\xd8\xff"],
  ["gif", "GIF8"],
  ["ole", "\xd0\xcf\x11\xe0"],
];

/** The kind of a document by its first bytes. */
export function documentKind(bytes: Uint8Array): DocumentKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const known = STARTS.find(([, start]) => head.startsWith(start))?.[0];
  if (known) return known;
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(head);
  if (head.includes("\0") && !isWide) return "binary";
  return /^(?:\xef\xbb\xbf)?\s*<[?!a-zA-Z]/.test(isWide ? head.replaceAll("\0", "").slice(2) : head) ? "xml" : "text";
}
