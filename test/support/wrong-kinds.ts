/** Twelve and more kinds of value, of which most are wrong for any option. */
export const KINDS: Readonly<Record<string, unknown>> = {
  null: null,
  NaN: Number.NaN,
  "-1": -1,
  "0": 0,
  "1.5": 1.5,
  "''": "",
  "'x'": "x",
  true: true,
  "[]": [],
  "{}": {},
  "() => {}": () => {},
  "10n": 10n,
  Symbol: Symbol("s"),
  Date: new Date(0),
};

/** A copy of an object in which one member, however deep, is another. */
export function replaced(from: object, path: string, value: unknown): Record<string, unknown> {
  const [name = "", ...rest] = path.split(".");
  const copy: Record<string, unknown> = { ...from };
  copy[name] = rest.length === 0 ? value : replaced((copy[name] as object) ?? {}, rest.join("."), value);
  return copy;
}
