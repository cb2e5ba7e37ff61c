/** A published table that links the codes of one classification with those of another. */

export interface Link {
  code: string;
  /** True if only a part of one of the codes is meant, or one code has several counterparts. */
  partial: boolean;
  note: string | null;
}

export interface ConcordanceRow {
  from: string;
  to: string;
  /** True if the table itself says that only a part is meant. */
  partial: boolean;
  note: string | null;
}

export interface Concordance {
  /** Right codes by left code. */
  forward: ReadonlyMap<string, readonly Link[]>;
  /** Left codes by right code. */
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
