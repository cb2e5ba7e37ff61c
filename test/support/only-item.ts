/** The item of an answer that has one. Throws if there is none, so that tests may read its fields. */
export function onlyItem<Item>({ items }: { items: readonly Item[] }): Item {
  const [item] = items;
  if (item === undefined) throw new Error("the answer has no item");
  return item;
}
