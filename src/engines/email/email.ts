/** An e-mail address with all that can be said of it without asking its server. */
import { isDisposable, isFree, isRole, listDate, meantDomain } from "./domains.js";
import type { AddressFinding, Syntax } from "./findings.js";
import { type MailAddress, readAddress } from "./syntax.js";

export interface Email {
  syntax: Syntax;
  valid: boolean;
  /** Whether letters beyond ASCII stand before the @, for which servers need the extension of RFC 6531; null where none was found. */
  smtpUtf8: boolean | null;
  reason: AddressFinding | null;
  local: string | null;
  domain: string | null;
  asciiDomain: string | null;
  normalized: string | null;
  tags: string[];
  role: boolean | null;
  free: boolean | null;
  disposable: boolean | null;
  suggestion: string | null;
}

/** A domain with letters beyond ASCII as DNS has it; others as they are. */
function asciiOf(domain: string): string {
  if (/^[\x21-\x7e]*$/.test(domain) || /[\s@/\\?#:[\]()<>%]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

export async function readEmail(text: string): Promise<{ email: Email; date: string | undefined }> {
  const at = text.lastIndexOf("@");
  const written = text.slice(at + 1);
  const ascii = at < 0 ? written : asciiOf(written);
  const address = readAddress(at < 0 ? text : text.slice(0, at + 1) + ascii);
  const email = await describe(address, ascii === written ? address.domain : written);
  return { email, date: await listDate() };
}

async function describe({ finding, syntax, local, domain }: MailAddress, written: string | null): Promise<Email> {
  const reason = finding === "valid" ? null : finding;
  const valid = syntax === "valid" || syntax === "rfc5321";
  if (local === null || domain === null)
    return {
      ...{ syntax, valid, smtpUtf8: null, reason, local, domain, asciiDomain: null, normalized: null, tags: [] },
      ...{ role: null, free: null, disposable: null, suggestion: null },
    };
  const isHost = !domain.startsWith("[");
  const [name = "", ...tags] = local.startsWith('"') ? [local] : local.split("+");
  const meant = isHost ? meantDomain(domain) : undefined;
  return {
    ...{
      syntax,
      valid,
      smtpUtf8: /\P{ASCII}/u.test(local),
      reason,
      local,
      domain: written,
      tags: tags.filter((tag) => tag !== ""),
    },
    asciiDomain: isHost ? domain.toLowerCase() : null,
    normalized: valid ? `${local.normalize("NFC")}@${isHost ? domain.toLowerCase() : domain}` : null,
    role: isRole(name),
    free: isHost && isFree(domain),
    disposable: isHost ? await isDisposable(domain) : false,
    suggestion: meant === undefined ? null : `${local}@${meant}`,
  };
}
