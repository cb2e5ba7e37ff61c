import { describe, expect, it } from "vitest";
import { rowsOf, tally } from "./judged.js";

/**
 * What we judge otherwise, and why: numbers that an authority gave out with a wrong check digit (their list would be one
 * of citizens), addresses that BIP 350 ended, and a list of the makers of network devices, which weighs a megabyte.
 */
const OTHERWISE: Record<string, number> = { "do.cedula": 60, bitcoin: 3, mac: 3 };
const NOT_HERE = ["gs1_128"];

describe.each(["tax-and-identifier-numbers", "changed-digit-numbers"])("%s of python-stdnum", (file) => {
  const rows = rowsOf(file);

  it.skipIf(!rows)("are judged as there, but for what we judge otherwise", async () => {
    const kinds = [...(await tally(rows ?? []))];
    expect(kinds.filter(([, { missing }]) => missing > 0).map(([kind]) => kind)).toEqual(NOT_HERE);
    const tooMany = kinds.filter(([kind, { wrong }]) => wrong.length > (OTHERWISE[kind] ?? 0));
    expect(tooMany.map(([kind, { wrong }]) => [kind, wrong.slice(0, 5)])).toEqual([]);
    expect(kinds.length).toBeGreaterThan(240);
  });
});
