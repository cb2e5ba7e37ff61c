/** One letter for a domain's mail, and what keeps it from a better one. */
import type { DkimKey } from "./dkim.js";
import type { Dmarc } from "./dmarc.js";
import type { SpfFindings } from "./spf-survey.js";
import type { TagRecord } from "./tags.js";

/** Date of the rules of this file. */
export const RULES_VERSION = "2026-11-23";

export interface Findings {
  spf: SpfFindings;
  dmarc: Dmarc;
  dkim: DkimKey[];
  mtaSts: TagRecord;
  tlsRpt: TagRecord;
  /** Whether it takes mail; undefined if nobody can say. */
  takesMail: boolean | undefined;
  /** Whether it sends none: then no key is missed. */
  sendsNone: boolean;
}

export type Grade = "A" | "B" | "C" | "D" | "F";

/** The worst that a finding lets a domain have, and the finding in words. */
type Mark = [worst: Grade, reason: string];

const ORDER: Grade[] = ["A", "B", "C", "D", "F"];

/**
 * F: anybody may send in its name. D: SPF or DMARC is missing or broken. C: DMARC only watches. B: something is weak or missing.
 * A: nothing is.
 */
export function gradeMail(findings: Findings): { grade: Grade; reasons: string[] } {
  const marks = [...spfMarks(findings), ...dmarcMarks(findings), ...dkimMarks(findings), ...transportMarks(findings)];
  const { spf, dmarc } = findings;
  const worst = marks.map(([grade]) => ORDER.indexOf(grade)).reduce((a, b) => Math.max(a, b), 0);
  const isOpen = !spf.survey.valid && !dmarc.valid;
  return { grade: isOpen ? "F" : (ORDER[worst] ?? "F"), reasons: marks.map(([, reason]) => reason) };
}

function spfMarks({ spf: { survey, all, usesPtr } }: Findings): Mark[] {
  if (!survey.present) return [["D", survey.errors[0] ?? "The SPF record is missing."]];
  if (!survey.valid) return [["D", `SPF is broken: ${survey.errors[0]}`]];
  const marks: Mark[] = [];
  if (all === "pass") marks.push(["F", "SPF lets everybody send: +all."]);
  if (all === "neutral" || all === undefined)
    marks.push(["B", "SPF says nothing of other senders: end it with -all or ~all."]);
  if (usesPtr) marks.push(["B", "SPF uses ptr, which is slow and which receivers may not follow."]);
  return marks;
}

function dmarcMarks({ dmarc }: Findings): Mark[] {
  const { present, valid, errors, policy, tags } = dmarc;
  if (!present) return [["D", errors[0] ?? "The DMARC record is missing."]];
  if (!valid) return [["D", `DMARC is broken: ${errors[0]}`]];
  const marks: Mark[] = [];
  if (policy === "none") marks.push(["C", "DMARC only watches: p=none."]);
  if (policy === "quarantine") marks.push(["B", "DMARC puts failing mail aside (quarantine) and does not reject it."]);
  if (tags.t === "y") marks.push(["C", "DMARC is being tried out: t=y."]);
  if (tags.pct !== undefined && tags.pct !== "100") marks.push(["B", `DMARC is for ${tags.pct} % of mail.`]);
  if (tags.sp === "none" && policy !== "none") marks.push(["B", "DMARC only watches subdomains: sp=none."]);
  if (tags.rua === undefined) marks.push(["B", "Nobody gets DMARC's reports: rua is missing."]);
  return marks;
}

function dkimMarks({ dkim, sendsNone }: Findings): Mark[] {
  const broken = dkim.filter(({ errors }) => errors.length > 0);
  const marks = broken.map(({ selector, errors }): Mark => ["B", `DKIM key ${selector}: ${errors[0]}`]);
  if (!dkim.some(({ valid }) => valid) && !sendsNone) marks.push(["B", "No DKIM key was found: name the selectors."]);
  for (const { selector, testing, valid, keyBits } of dkim) {
    if (testing) marks.push(["B", `DKIM key ${selector} is being tried out: t=y.`]);
    if (valid && keyBits !== null && keyBits < 2048)
      marks.push(["B", `DKIM key ${selector} has only ${keyBits} bits.`]);
  }
  return marks;
}

function transportMarks({ mtaSts, tlsRpt, takesMail }: Findings): Mark[] {
  if (takesMail === undefined) return [["B", "The mail servers could not be asked for."]];
  if (!takesMail) return [];
  const marks: Mark[] = [];
  const names: [string, TagRecord][] = [
    ["MTA-STS", mtaSts],
    ["TLS-RPT", tlsRpt],
  ];
  for (const [name, { present, valid, errors }] of names) {
    if (!present) marks.push(["B", `The ${name} record is missing.`]);
    else if (!valid) marks.push(["B", `${name} is broken: ${errors[0]}`]);
  }
  return marks;
}
