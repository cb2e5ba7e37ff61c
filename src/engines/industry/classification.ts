/** The codes of one classification with their titles and parents. */

export interface Item {
  code: string;
  title: string | null;
  parent: string | null;
  /** The classification's own term: section, division, industry group ... */
  level: string;
}

export interface Classification {
  find(code: string): Item | undefined;
  /** The direct children, in the official order. */
  childrenOf(code: string): readonly Item[];
  /** All items, in the official order. */
  readonly items: readonly Item[];
}

export function indexItems(items: readonly Item[]): Classification {
  const byCode = new Map(items.map((item) => [item.code, item]));
  const children = new Map<string, Item[]>();
  for (const item of items) {
    if (item.parent === null) continue;
    const siblings = children.get(item.parent) ?? [];
    siblings.push(item);
    children.set(item.parent, siblings);
  }
  return { find: (code) => byCode.get(code), childrenOf: (code) => children.get(code) ?? [], items };
}

/** From the top down to the item's parent. */
export function ancestorsOf({ find }: Pick<Classification, "find">, { parent }: Item): Item[] {
  const found = parent === null ? undefined : find(parent);
  return found ? [...ancestorsOf({ find }, found), found] : [];
}

/** The codes without children at or below a code. */
export function leavesOf(classification: Classification, code: string): string[] {
  const children = classification.childrenOf(code);
  return children.length === 0 ? [code] : children.flatMap((child) => leavesOf(classification, child.code));
}
