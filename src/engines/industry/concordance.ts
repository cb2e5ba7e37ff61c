/** A published table that links the codes of one classification with those of another. */

export interface Link {
  code: string;
  /** Only a part of one of the two codes is meant, or one code has several on the other side. */
  partial: boolean;
  note: string | null;
}

export interface ConcordanceRow {
  from: string;
  to: string;
  /** The table itself says that only a part is meant. */
  partial: boolean;
  note: string | null;
}

export interface Concordance {
  /** What a code on the left is on the right. */
  forward: ReadonlyMap<string, readonly Link[]>;
  /** What a code on the right is on the left. */
  backward: ReadonlyMap<string, readonly Link[]>;
}

export function indexConcordance(rows: readonly ConcordanceRow[]): Concordance {
  return {
    forward: linksBy(
      rows,
      ({ from }) => from,
      ({ to }) => to,
    ),
    backward: linksBy(
      rows,
      ({ to }) => to,
      ({ from }) => from,
    ),
  };
}

type Side = (row: ConcordanceRow) => string;

function linksBy(rows: readonly ConcordanceRow[], key: Side, target: Side): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  for (const row of rows) {
    const known = links.get(key(row)) ?? [];
    known.push({ code: target(row), partial: row.partial, note: row.note });
    links.set(key(row), known);
  }
  for (const many of links.values()) if (many.length > 1) for (const link of many) link.partial = true;
  return links;
}
