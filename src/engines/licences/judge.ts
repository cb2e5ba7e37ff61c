/** Judges a licence expression: which licences it asks for, and whether allowed ones suffice. */
import { COPYLEFT, type Copyleft, copyleftOf } from "./copyleft.js";
import {
  type Expression,
  expressionText,
  type Licence,
  licencesIn,
  NotAnExpression,
  readExpression,
} from "./expression.js";
import { idsOf } from "./spdx.js";

export interface Judgement {
  valid: boolean;
  normalized: string | null;
  licenses: string[];
  exceptions: string[];
  satisfied: boolean | null;
  osiApproved: boolean | null;
  copyleft: Copyleft | null;
  deprecated: string[];
  error: { position: number; message: string } | null;
}

/** Of the expression; `allowed` null if nobody asks. */
export function judgeExpression(text: string, allowed: readonly Licence[] | null): Judgement {
  try {
    return judged(readExpression(text), allowed);
  } catch (error) {
    if (!(error instanceof NotAnExpression)) throw error;
    const { position, message } = error;
    return {
      ...{ valid: false, normalized: null, licenses: [], exceptions: [], satisfied: allowed ? false : null },
      ...{ osiApproved: null, copyleft: null, deprecated: [], error: { position, message } },
    };
  }
}

function judged(expression: Expression, allowed: readonly Licence[] | null): Judgement {
  const licences = licencesIn(expression);
  const ids = unique(licences.map(({ id }) => id));
  const exceptions = unique(licences.flatMap(({ exception }) => exception ?? []));
  return {
    valid: true,
    normalized: expressionText(expression),
    licenses: ids,
    exceptions,
    satisfied: allowed && holds(expression, isOneOf(allowed)),
    osiApproved: holds(expression, ({ id }) => idsOf().isOsiApproved(id)),
    copyleft: COPYLEFT[copyleftRank(expression)] ?? "none",
    deprecated: [...ids, ...exceptions].filter((id) => idsOf().isDeprecated(id)),
    error: null,
  };
}

const unique = (ids: string[]) => [...new Set(ids)];

/** Many names times many are compared: each is read once. */
function isOneOf(allowed: readonly Licence[]): (licence: Licence) => boolean {
  const editions = new Map<string, Edition>();
  const read = (licence: Licence): Edition => {
    const key = `${licence.id}${licence.plus ? "+" : ""}`;
    const edition = editions.get(key) ?? editionOf(licence);
    editions.set(key, edition);
    return edition;
  };
  const known = allowed.map((licence) => ({ licence, edition: read(licence) }));
  return (licence) => known.some((one) => isCompatible({ licence, edition: read(licence) }, one));
}

/** All parts of an AND must hold, one of an OR. */
const holds = (expression: Expression, test: (licence: Licence) => boolean): boolean =>
  expression.kind === "licence"
    ? test(expression)
    : expression.parts[expression.kind === "and" ? "every" : "some"]((part) => holds(part, test));

/** The strictest of what must hold together, the mildest of what may be chosen. */
function copyleftRank(expression: Expression): number {
  if (expression.kind === "licence") return COPYLEFT.indexOf(copyleftOf(expression));
  const ranks = expression.parts.map(copyleftRank);
  return expression.kind === "and" ? Math.max(...ranks) : Math.min(...ranks);
}

interface Edition {
  family: string;
  version: number[];
  plus: boolean;
}

interface Named {
  licence: Licence;
  edition: Edition;
}

/** GPL-2.0-or-later is GPL-2.0+, and GPL-2.0-only is GPL-2.0. */
function editionOf({ id, plus }: Licence): Edition {
  const bare = id.replace(/-(?:only|or-later)$/, "");
  const [, before = "", version = "", after = ""] = /^(.*?)-(\d+(?:\.\d+)+)(.*)$/.exec(bare) ?? ["", bare];
  return {
    family: `${before}|${after}`,
    version: version === "" ? [] : version.split(".").map(Number),
    plus: plus || id.endsWith("-or-later"),
  };
}

/** Whether a licence of the expression is one that is allowed; a plus means later versions, too. */
function isCompatible({ licence, edition: own }: Named, { licence: allowed, edition: other }: Named): boolean {
  if (licence.exception !== allowed.exception) return false;
  if (own.family !== other.family || licence.isReference !== allowed.isReference) return false;
  const order = compare(own.version, other.version);
  if (order === 0 || (own.plus && other.plus)) return true;
  return order > 0 ? other.plus : own.plus;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const order = (a[at] ?? 0) - (b[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
