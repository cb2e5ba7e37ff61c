/** Addresses in feeds, relative ones in full. */
import { isUrl } from "../../lib/http/url.js";
import { decodeReferences } from "./entities.js";

/** A base address against which others are resolved; undefined if there is none. */
export type Base = string | undefined;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** An address with a scheme stays as it was written. */
export function resolve(address: string, base: Base): string {
  const trimmed = address.trim();
  if (base === undefined || SCHEME.test(trimmed) || !isUrl(trimmed, base)) return trimmed;
  return new URL(trimmed, base).href;
}

/** The base inside an element that has its own. */
export function innerBase(own: string | undefined, around: Base): Base {
  if (own === undefined || own.trim() === "") return around;
  const joined = resolve(own, around);
  return /^(?:https?|ftp|file):/i.test(joined) ? joined : around;
}

const SAFE = new Set(
  "aim callto cvs facetime feed file ftp git gopher h323 hdl http https imap irc irc6 ircs itms magnet mailto mms msnim news nntp prospero rsync rtsp rtspu sftp shttp sip sips skype smb snews ssh svn svn+ssh tel telnet wais ymsg".split(
    " ",
  ),
);

/** Whether an attribute's address leads nowhere that runs code, however it is written. */
export function isSafe(value: string): boolean {
  const plain = decodeReferences(value).replace(/[\0-\x20\x7f-\xa0]/g, "");
  const start = plain.split(/[/?#]/, 1)[0] ?? "";
  const scheme = /^([^:]*):/.exec(start)?.[1];
  // A reference that is not known here may be a colon elsewhere.
  return scheme === undefined ? !start.includes("&") : SAFE.has(scheme.toLowerCase());
}
